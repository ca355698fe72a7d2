"""The bundled requests, written by hand: one YAML file a topic."""
