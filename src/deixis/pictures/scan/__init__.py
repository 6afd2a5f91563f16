"""From a scan or photograph of a solved tangram to its seven pieces."""
