/** The mark of a function that an operator library exports. */
#ifndef ACLNNOP_ACLNN_UTIL_H
#define ACLNNOP_ACLNN_UTIL_H

#ifndef ACLNN_API
#define ACLNN_API __attribute__((visibility("default")))
#endif

#endif
