"""ganglia.py PORT URL WRITES: waits until WRITES writes have arrived, and gmond has what a region server's /jmx has, but for what moves."""

import json
import re
import socket
import sys
import time
import urllib.request

BEANS = {"Server": "regionserver.Server", "IPC": "regionserver.RegionServer", "WAL": "regionserver.WAL", "Memory": "regionserver.Memory"}
# ages and rates move on, histograms begin anew with each look, and connections and memory of the network are of the moment
MOVING = re.compile(r"Age$|_rate$|RatePerSecond$|_(min|max|mean|median|\d.*percentile)$|RangeCount_|^numOpenConnections$|^netty|^master:store")
LIMIT_SECONDS = 90


def gmond(port):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        text = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    return dict(re.findall(r'<METRIC NAME="([^"]+)" VAL="([^"]*)"', text))


def differences(port, url, writes):
    """Returns the number of metrics compared, and those that differ."""
    seen = gmond(port)
    if float(seen.get("regionserver.Server.writeRequestCount", 0)) < writes:
        return 0, ["the writes have not arrived"]
    beans = json.load(urllib.request.urlopen(url))["beans"]
    compared, different = 0, []
    for bean in beans:
        record = BEANS.get(bean["name"].split("sub=")[-1])
        for name, value in bean.items() if record else []:
            if isinstance(value, (int, float)) and not MOVING.search(name):
                sent = seen.get(f"{record}.{name}")
                compared += 1
                # gmond's floats have 24 bits
                if sent is None or abs(float(sent) - value) > 1e-4 * max(1, abs(value)):
                    different.append(f"{record}.{name}: {value} in /jmx, {sent} at gmond")
    return compared, different


def main():
    port, url, writes = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    deadline = time.monotonic() + LIMIT_SECONDS
    compared, different = differences(port, url, writes)
    while (different or compared < 200) and time.monotonic() < deadline:
        time.sleep(2)
        compared, different = differences(port, url, writes)
    print(f"checked: {compared} metrics at gmond, {len(different)} of them differ", *different[:20], sep="\n")
    sys.exit(1 if different or compared < 200 else 0)


main()
