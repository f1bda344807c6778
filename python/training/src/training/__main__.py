"""``python -m training``."""

import sys

from training.command import main

sys.exit(main(sys.argv[1:]))
