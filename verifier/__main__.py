"""`python -m verifier` is the command `verifier`."""

from verifier.cli import main

if __name__ == "__main__":
    main()
