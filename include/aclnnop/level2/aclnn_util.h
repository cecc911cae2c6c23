/** The place of aclnnop/aclnn_util.h in older kits. */
#include "../aclnn_util.h"
