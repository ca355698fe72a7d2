"""The daft transport: the plan as a frame, asked by workers on this machine or on a Ray cluster."""
