"""What cluster.sh asks the monitor: monitor.py CONF register UUID-FILE... | wait NUMBER-OF-OSDS"""

import json
import sys
import time

import rados

conf, command, *arguments = sys.argv[1:]
cluster = rados.Rados(conffile=conf, name="client.admin")
cluster.connect(timeout=120)


def ask(**question):
    code, answer, error = cluster.mon_command(json.dumps({"format": "json", **question}), b"", timeout=60)
    if code != 0:
        sys.exit(f"{question}: {error}")
    return answer


if command == "register":
    for number, file in enumerate(sorted(arguments)):
        with open(file) as uuid:
            ask(prefix="osd new", uuid=uuid.read().strip(), id=number)
else:
    end = time.monotonic() + 180
    while json.loads(ask(prefix="osd stat"))["num_up_osds"] < int(arguments[0]):
        if time.monotonic() > end:
            sys.exit("the OSDs are not up after three minutes")
        time.sleep(0.05)
cluster.shutdown()
