"""Statistics of clustered, paired measurements; arrays in, numbers out."""
