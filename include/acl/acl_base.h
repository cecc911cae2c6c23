/** What the other headers build on: types, formats, status codes, data buffers. Declares nothing of its own. */
#ifndef ACL_ACL_BASE_H
#define ACL_ACL_BASE_H

#include "acl_base_mdl.h"
#include "acl_base_rt.h"
#include "error_codes/ge_error_codes.h"
#include "error_codes/rt_error_codes.h"

#endif
