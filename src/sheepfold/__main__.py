"""`python -m sheepfold` is the command `sheepfold`."""

from sheepfold.terminal import main

if __name__ == "__main__":
    main()
