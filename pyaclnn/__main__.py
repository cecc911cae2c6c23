"""``python -m pyaclnn``."""

import sys

from pyaclnn.command_line import main

if __name__ == "__main__":
    sys.exit(main())
