#!/usr/bin/env bash
# A Ceph cluster on 127.0.0.1 for tests: a monitor (mon.a), three OSDs (osd.0 ...) and two gateways (rgw.1, rgw.2), without
# a manager. Everything lies in one directory.
#
#   cluster.sh start DIRECTORY PID   starts it, unless it runs, and prints endpoints and keys as JSON; it is stopped when
#                                    the process PID has ended. STORE=memstore|bluestore, COPIES=2 (of each object).
#   cluster.sh run DIRECTORY NAME    starts one daemon again that was killed. One with memstore has lost everything.
#   cluster.sh stop DIRECTORY        kills all daemons and removes the directory
set -eEuo pipefail
export PATH=$PATH:/usr/sbin

command=$1
mkdir -p "$2"
DIRECTORY=$(cd "$2" && pwd)
export CEPH_CONF=$DIRECTORY/ceph.conf
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
osds=(0 1 2)
gateways=(1 2)

# The lock on the directory; whoever starts a daemon closes 9, so that the daemon does not hold it.
exec 9<"$DIRECTORY"

run() {
  local name=$1 id=${1#*.}
  case $name in
    mon.*) set -- ceph-mon -i "$id" ;;
    osd.*) set -- ceph-osd -i "$id" ;;
    rgw.*) set -- radosgw -n "client.$name" --rgw-frontends "beast endpoint=127.0.0.1:$(<"$DIRECTORY/$name.port") tcp_nodelay=1" ;;
  esac
  setsid "$@" -f -c "$CEPH_CONF" >>"$DIRECTORY/$name.out" 2>&1 </dev/null 9<&- &
  echo $! >"$DIRECTORY/$name.pid"
}

# Every process with this cluster's configuration in its command line, also those whose number nobody wrote down.
kill_all() {
  local file
  for file in $(grep -laF "$CEPH_CONF" /proc/[0-9]*/cmdline 2>/dev/null); do
    file=${file#/proc/}
    kill -KILL "${file%/cmdline}" 2>/dev/null || true
  done
}

stop() {
  # Not in the middle of a start, which would go on.
  flock -w 30 9 || true
  kill_all
  # A daemon that is about to end may still write.
  for _ in 1 2 3 4 5; do
    rm -rf "$DIRECTORY" 2>/dev/null && return
    sleep 0.2
  done
  rm -rf "$DIRECTORY"
}

# One Python process does what would take several of the slow ones of the `ceph` command.
monitor() { /usr/bin/python3 "$here/monitor.py" "$CEPH_CONF" "$@"; }

key() {
  local name=$1
  shift
  ceph-authtool "$DIRECTORY/keyring" --gen-key -n "$name" "$@" >/dev/null
}

# Below those that the system gives to whoever asks for any: nobody gets one by chance before it is used, or between the
# end of a daemon and its next start.
free_ports() {
  /usr/bin/python3 -c '
import random, socket, sys
sockets = []
while len(sockets) < int(sys.argv[1]):
    each = socket.socket()
    try: each.bind(("127.0.0.1", random.randrange(20000, 32000)))
    except OSError: continue
    sockets.append(each)
print(*[each.getsockname()[1] for each in sockets])' "$1"
}

start() {
  local ports monitor_port id making=() port endpoints=()
  read -r -a ports <<<"$(free_ports 3)"
  monitor_port=${ports[0]}
  FSID=$(</proc/sys/kernel/random/uuid)
  sed -e "s|@FSID@|$FSID|; s|@MON_PORT@|$monitor_port|; s|@DIRECTORY@|$DIRECTORY|" \
    -e "s|@COPIES@|${COPIES:-2}|; s|@STORE@|${STORE:-memstore}|" "$here/ceph.conf" >"$CEPH_CONF"

  # The monitor takes over all keys with their rights when it is made, so no `ceph auth` is needed.
  ceph-authtool --create-keyring "$DIRECTORY/keyring" --gen-key -n mon. --cap mon 'allow *' >/dev/null
  key client.admin --cap mon 'allow *' --cap osd 'allow *'
  for id in "${osds[@]}"; do key "osd.$id" --cap mon 'allow profile osd' --cap osd 'allow *'; done
  for id in "${gateways[@]}"; do key "client.rgw.$id" --cap mon 'allow rw' --cap osd 'allow rwx'; done
  monmaptool --create --fsid "$FSID" --addv a "[v2:127.0.0.1:$monitor_port]" "$DIRECTORY/monmap" >/dev/null
  mkdir "$DIRECTORY/mon.a"
  ceph-mon --mkfs -i a -c "$CEPH_CONF" --monmap "$DIRECTORY/monmap" --keyring "$DIRECTORY/keyring"
  cp "$DIRECTORY/keyring" "$DIRECTORY/mon.a/keyring"
  run mon.a

  for id in "${osds[@]}"; do
    mkdir "$DIRECTORY/osd.$id"
    cat /proc/sys/kernel/random/uuid >"$DIRECTORY/osd.$id/uuid"
    cp "$DIRECTORY/keyring" "$DIRECTORY/osd.$id/keyring"
  done
  monitor register "$DIRECTORY"/osd.*/uuid
  for id in "${osds[@]}"; do
    ceph-osd --mkfs -i "$id" -c "$CEPH_CONF" --osd-uuid "$(<"$DIRECTORY/osd.$id/uuid")" >"$DIRECTORY/osd.$id.out" 2>&1 9<&- &
    making+=($!)
  done
  for id in "${making[@]}"; do wait "$id"; done
  for id in "${osds[@]}"; do run "osd.$id"; done
  monitor wait "${#osds[@]}"

  radosgw-admin -c "$CEPH_CONF" user create --uid=test --display-name=test --access-key=testkey --secret-key=testsecret \
    >"$DIRECTORY/user.out" 2>&1 9<&-
  for id in "${gateways[@]}"; do
    port=${ports[$id]}
    echo "$port" >"$DIRECTORY/rgw.$id.port"
    endpoints+=("\"http://127.0.0.1:$port\"")
    run "rgw.$id"
  done
  for id in "${gateways[@]}"; do until_listening "$(<"$DIRECTORY/rgw.$id.port")"; done
  (
    IFS=,
    printf '{"endpoints":[%s],"accessKey":"testkey","secretKey":"testsecret"}\n' "${endpoints[*]}"
  ) >"$DIRECTORY/cluster.json"
}

until_listening() {
  for _ in {1..2400}; do
    if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return; fi
    sleep 0.05
  done
  echo "nothing listens on port $1" >&2
  return 1
}

case $command in
  start)
    flock 9
    if [[ ! -e $DIRECTORY/cluster.json ]]; then
      kill_all
      rm -rf "${DIRECTORY:?}"/*
      # First of all, so that whatever happens no daemon stays behind.
      setsid bash -c 'tail --pid="$1" -f /dev/null; exec "$2" stop "$3"' - "$3" "$here/cluster.sh" "$DIRECTORY" \
        >/dev/null 2>&1 </dev/null 9<&- &
      trap 'tail -n 20 "$DIRECTORY"/*.out >&2' ERR
      start
      trap - ERR
    fi
    cat "$DIRECTORY/cluster.json"
    ;;
  run)
    run "$3"
    if [[ $3 == rgw.* ]]; then until_listening "$(<"$DIRECTORY/$3.port")"; fi
    ;;
  stop) stop ;;
esac
