/* Versions: our own API's, and those of the packages that are installed beside it. */
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "config.h"
#include "fail.h"

static const char install_record[] = "/etc/ascend_install.info";

aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion)
{
	if (!majorVersion)
		return emu_fail_null(__func__, "majorVersion");
	if (!minorVersion)
		return emu_fail_null(__func__, "minorVersion");
	if (!patchVersion)
		return emu_fail_null(__func__, "patchVersion");
	*majorVersion = ACL_MAJOR_VERSION;
	*minorVersion = ACL_MINOR_VERSION;
	*patchVersion = ACL_PATCH_VERSION;
	return ACL_SUCCESS;
}

/* The value of the first "key=value" line; false when there is none. */
static bool read_value(FILE *file, const char *key, char *value, size_t room)
{
	size_t key_size = strlen(key);
	char line[PATH_MAX];

	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, key_size) || line[key_size] != '=')
			continue;
		line[strcspn(line, "\r\n")] = 0;
		snprintf(value, room, "%s", line + key_size + 1);
		return true;
	}
	return false;
}

/* "-" and "_" in the name of a package mean the same. */
static FILE *open_package(const char *root, const char *package)
{
	static const char spellings[][2] = {{0, 0}, {'-', '_'}, {'_', '-'}};
	char path[PATH_MAX];

	for (int i = 0; i < 3; i++) {
		int start = snprintf(path, sizeof(path), "%s/share/info/", root);
		FILE *file;

		if (start < 0 || (size_t)start >= sizeof(path))
			return NULL;
		if ((size_t)snprintf(path + start, sizeof(path) - (size_t)start, "%s/version.info",
		                                  package) >= sizeof(path) - (size_t)start)
			return NULL;
		for (char *c = path + start; *c && *c != '/'; c++)
			if (*c == spellings[i][0])
				*c = spellings[i][1];
		file = fopen(path, "re");
		if (file)
			return file;
	}
	return NULL;
}

/* Driver and firmware are installed elsewhere; a record in /etc says where. */
static FILE *open_system_package(const char *package)
{
	const char *key = strcmp(package, "driver") ? "Firmware_Install_Path_Param" : "Driver_Install_Path_Param";
	FILE *record = fopen(install_record, "re");
	char root[PATH_MAX];
	char path[PATH_MAX];
	bool found;

	if (!record)
		return NULL;
	found = read_value(record, key, root, sizeof(root));
	fclose(record);
	if (!found || (size_t)snprintf(path, sizeof(path), "%s/%s/version.info", root, package) >= sizeof(path))
		return NULL;
	return fopen(path, "re");
}

/* The version of a package into ACL_PKG_VERSION_MAX_SIZE bytes. */
static aclError read_version(const char *function, const char *package, char *version)
{
	const char *root = getenv("ASCEND_HOME_PATH");
	bool system_package = !strcmp(package, "driver") || !strcmp(package, "firmware");
	bool found;
	FILE *file;

	if (!system_package && !root)
		return emu_fail(ACL_ERROR_INVALID_FILE, "EH0004", "%s failed because ASCEND_HOME_PATH is not set.", function);
	file = system_package ? open_system_package(package) : open_package(root, package);
	if (!file)
		return emu_fail(ACL_ERROR_INVALID_FILE, "EH0004",
		                "%s failed because package \"%s\" has no version.info under %s.", function, package,
		                system_package ? install_record : root);
	found = read_value(file, "Version", version, ACL_PKG_VERSION_MAX_SIZE);
	fclose(file);
	if (!found)
		return emu_fail(ACL_ERROR_INTERNAL_ERROR, "EH0004",
		                "%s failed because the version.info of package \"%s\" has no Version line.", function, package);
	return ACL_SUCCESS;
}

aclError aclsysGetVersionStr(char *pkgName, char *versionStr)
{
	if (!pkgName)
		return emu_fail_null(__func__, "pkgName");
	if (!versionStr)
		return emu_fail_null(__func__, "versionStr");
	return read_version(__func__, pkgName, versionStr);
}

/* ---- as a number ---- */

/* What a pre-release counts less than its release: "-alpha.2" or "-alpha2". False for another text. */
static bool read_pre_release(const char *text, long *difference)
{
	static const struct {
		const char *name;
		long less;
	} stages[] = {{"-alpha", 300}, {"-beta", 200}, {"-rc", 100}};

	*difference = 0;
	if (!*text)
		return true;
	for (int i = 0; i < 3; i++) {
		size_t size = strlen(stages[i].name);
		const char *number = text + size + (text[size] == '.');
		char *end;

		if (strncmp(text, stages[i].name, size))
			continue;
		*difference = strtol(number, &end, 10) - stages[i].less;
		return isdigit((unsigned char)*number) && !*end;
	}
	return false;
}

/* "major.minor.patch" and perhaps a pre-release; false for another form. */
static bool read_number(const char *version, int32_t *number)
{
	static const long most[] = {200, 99, 99};
	static const long weight[] = {10000000, 100000, 1000};
	long sum = 0;
	long difference;

	for (int i = 0; i < 3; i++) {
		char *end;
		long part = strtol(version, &end, 10);

		if (!isdigit((unsigned char)*version) || part > most[i] || (i < 2 && *end != '.'))
			return false;
		sum += part * weight[i];
		version = end + (i < 2);
	}
	if (!read_pre_release(version, &difference))
		return false;
	*number = (int32_t)(sum + difference);
	return true;
}

aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum)
{
	char version[ACL_PKG_VERSION_MAX_SIZE];
	aclError status;

	if (!pkgName)
		return emu_fail_null(__func__, "pkgName");
	if (!versionNum)
		return emu_fail_null(__func__, "versionNum");
	status = read_version(__func__, pkgName, version);
	if (!status && !read_number(version, versionNum))
		status = emu_fail(ACL_ERROR_INTERNAL_ERROR, "EH0004",
		                  "%s failed because the version of package \"%s\" is \"%s\"; it must be such as 9.1.0 or "
		                  "9.1.0-beta.2.",
		                  __func__, pkgName, version);
	return status;
}

/* ---- in parts ---- */

static const char *const packages[] = {
	[ACL_PKG_NAME_CANN] = "runtime",
	[ACL_PKG_NAME_RUNTIME] = "runtime",
	[ACL_PKG_NAME_COMPILER] = "compiler",
	[ACL_PKG_NAME_HCCL] = "hccl",
	[ACL_PKG_NAME_TOOLKIT] = "toolkit",
	[ACL_PKG_NAME_OPP] = "opp",
	[ACL_PKG_NAME_OPP_KERNEL] = "opp_kernel",
	[ACL_PKG_NAME_DRIVER] = "driver",
};

/*
 * Without an installation, the toolkit that is emulated. A framework that cannot learn the version from this function
 * takes the toolkit for an old one, and asks it for what only old ones have.
 */
static aclError read_cann_version(const char *function, aclCANNPackageName name, char *version)
{
	int emulated = emu_config()->cann_version;

	if (name == ACL_PKG_NAME_DRIVER || getenv("ASCEND_HOME_PATH"))
		return read_version(function, packages[name], version);
	snprintf(version, ACL_PKG_VERSION_MAX_SIZE, "%d.%d.0", emulated / EMU_CANN_VERSION(1, 0),
	         emulated % EMU_CANN_VERSION(1, 0));
	return ACL_SUCCESS;
}

/* The next part of a version, which a dot ends; *rest moves behind it. */
static void take_part(const char **rest, char part[ACL_PKG_VERSION_PARTS_MAX_SIZE])
{
	size_t size = strcspn(*rest, ".");

	snprintf(part, ACL_PKG_VERSION_PARTS_MAX_SIZE, "%.*s", (int)size, *rest);
	*rest += size + ((*rest)[size] == '.');
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version)
{
	aclCANNPackageVersion found = {0};
	const char *rest = found.version;
	aclError status;

	if (!version)
		return emu_fail_null(__func__, "version");
	if ((unsigned)name > ACL_PKG_NAME_DRIVER)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                "%s failed because name is %d; it must be 0 to 7 (ACL_PKG_NAME_...).", __func__, (int)name);
	status = read_cann_version(__func__, name, found.version);
	if (status)
		return status;
	take_part(&rest, found.majorVersion);
	take_part(&rest, found.minorVersion);
	take_part(&rest, found.releaseVersion);
	take_part(&rest, found.patchVersion);
	*version = found;
	return ACL_SUCCESS;
}
