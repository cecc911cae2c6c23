/**
 * The documented place of the model side of the base types (tensor descriptors, data sets).
 *
 * That part belongs to the graph engine, which is not emulated. The header exists because programs include it without
 * need; it declares no function, so that a program which calls one stops at compile time and not at run time.
 */
#ifndef ACL_ACL_BASE_MDL_H
#define ACL_ACL_BASE_MDL_H

#include "acl_base_rt.h"

#endif
