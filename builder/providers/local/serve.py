"""The child process that serves one model on a free loopback port until its standard input closes.

Run as `python -m builder.providers.local.serve MODEL NAME SLOTS CONTEXT THREADS`; the API key comes in on standard
input, the address goes out on standard output. Standard input closes when the parent ends, however it ends.
"""

import os
import sys


def main() -> int:
    """Serve until standard input closes; returns the exit status."""
    model, name, slots, context, threads = sys.argv[1:6]
    secret = sys.stdin.readline().strip()
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {name}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = int(slots)
    params.n_ctx = int(slots) * int(context)
    params.api_keys = [secret]
    params.cpuparams.n_threads = int(threads)
    params.warmup = False
    params.cache_ram_mib = 0  # every prompt is another: copies of old ones are never used again
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
