"""The README's section on torch-npu is true: its program runs as the commands say, and prints what it says."""

import readme_section


def test_the_commands_of_the_readme_print_what_it_says(tmp_path):
    printed, promised = readme_section.run("torch-npu", tmp_path)
    assert printed.endswith(promised)
