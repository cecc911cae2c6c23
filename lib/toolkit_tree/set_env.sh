# Lets scripts that are written for a toolkit find this tree: `source set_env.sh` in bash or zsh. A second time changes
# nothing. In another shell: eval "$(python -m pyaclnn flags --env)"
_aclemu_file=${BASH_SOURCE:-}
if [ -n "${ZSH_VERSION:-}" ]; then
    eval '_aclemu_file=${(%):-%x}'
fi
if [ -n "$_aclemu_file" ] && [ -f "$_aclemu_file" ]; then
    ASCEND_HOME_PATH=$(CDPATH= cd -- "$(dirname -- "$_aclemu_file")" && pwd -P)
    ASCEND_TOOLKIT_HOME=$ASCEND_HOME_PATH
    case ":${LD_LIBRARY_PATH:-}:" in
    *":$ASCEND_HOME_PATH/lib64:"*) ;;
    *) LD_LIBRARY_PATH=$ASCEND_HOME_PATH/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ;;
    esac
    export ASCEND_HOME_PATH ASCEND_TOOLKIT_HOME LD_LIBRARY_PATH
else
    echo "set_env.sh: this shell does not say where the file is; use bash, or set ASCEND_HOME_PATH and LD_LIBRARY_PATH" >&2
fi
unset _aclemu_file
