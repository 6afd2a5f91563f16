"""Players of statements about pairs of pictures, one file each."""
