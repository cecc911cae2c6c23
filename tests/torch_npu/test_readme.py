"""The README's sections on torch and torch-npu are true: their programs run as the commands say, and print what they say."""

import pytest

import readme_section

SECTIONS = {"torch-npu": {}, "Tensors of torch": {"TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}}  # as where torch is alone


@pytest.mark.parametrize("section", SECTIONS)
def test_the_commands_of_the_readme_print_what_it_says(section, tmp_path):
    printed, promised = readme_section.run(section, tmp_path, **SECTIONS[section])
    assert printed.endswith(promised)
