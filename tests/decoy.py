"""Stand-ins for an installed toolkit: small libraries under the vendor's names that answer unlike the emulator."""

import shutil

from toolchain import c_compiler, prefix, run

SOC = "Ascend910B4"
DEVICES = 8
VERSION = "8.5.0"

RUNTIME = f"""
#include <string.h>

#include "acl/acl.h"

const char *aclrtGetSocName(void) {{ return "{SOC}"; }}
aclError aclrtGetDeviceCount(uint32_t *count) {{ *count = {DEVICES}; return 0; }}
const char *aclGetRecentErrMsg(void) {{ return NULL; }}
aclError aclrtSetDevice(int32_t device) {{ return device < {DEVICES} ? 0 : 107001; }}
aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version)
{{
	strcpy(version->version, "{VERSION}");
	return name == ACL_PKG_NAME_CANN ? 0 : 100000;
}}
"""
BASE = """
#include "aclnn/acl_meta.h"

static int64_t sizes[64];

aclIntArray *aclCreateIntArray(const int64_t *values, uint64_t size)
{
	(void)values;
	sizes[0] = (int64_t)size;
	return (aclIntArray *)sizes;
}
aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size)
{
	*size = 1000 + (uint64_t)*(const int64_t *)array;
	return 0;
}
aclnnStatus aclDestroyIntArray(const aclIntArray *array) { return array != (const aclIntArray *)sizes; }
"""
OPERATORS = """
#include "aclnnop/aclnn_convolution_backward.h"

aclnnStatus aclnnConvolutionBackward(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream)
{
	(void)workspace, (void)size, (void)executor, (void)stream;
	return 561000;
}
"""
ABORTS = "#include <stdlib.h>\n__attribute__((constructor)) static void start(void) { abort(); }\n"


def library(folder, name, source):
    """Compiles one library into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.c").write_text(source)
    run([c_compiler(), "-shared", "-fPIC", "-w", f"-I{prefix() / 'include'}", f"-Wl,-soname,{name}", "-o",
         folder / name, folder / f"{name}.c"])


def toolkit(root):
    """A toolkit of an older release: all operators in one library, and few functions."""
    library(root / "lib64", "libascendcl.so", RUNTIME)
    library(root / "lib64", "libnnopbase.so", BASE)
    library(root / "lib64", "libopapi.so", OPERATORS)
    return root


def second_installation(root):
    """The emulator once more, somewhere else."""
    shutil.copytree(prefix() / "lib64", root / "lib64")
    return root
