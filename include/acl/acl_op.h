/**
 * The documented place of single-operator execution by operator name.
 *
 * That part belongs to the graph engine, which is not emulated. The header exists because programs include it without
 * need; it declares no function, so that a program which calls one stops at compile time and not at run time.
 */
#ifndef ACL_ACL_OP_H
#define ACL_ACL_OP_H

#include "acl_base.h"

#endif
