"""An audit as one HTML file that needs nothing else: no network, no scripts, light and dark."""
