/** The place of aclnnop/aclnn_convolution_backward.h in older kits. */
#include "../aclnn_convolution_backward.h"
