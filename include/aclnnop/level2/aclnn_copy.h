/** The place of aclnnop/aclnn_copy.h in older kits. */
#include "../aclnn_copy.h"
