"""The README's section on l0n0lacl is true: its program runs as the commands say, and prints what it says."""

import shutil

import acl
import readme_section


def test_the_commands_of_the_readme_print_what_it_says(tmp_path):
    shutil.copy(acl.__file__, tmp_path)
    printed, promised = readme_section.run("Use from l0n0lacl", tmp_path)
    assert printed.endswith(promised)
