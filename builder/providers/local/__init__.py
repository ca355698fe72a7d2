"""Models that run on this machine: their weights, and the server that a run starts and stops."""
