#!/bin/sh
# Makes the user of the service as docs/HOSTING.md does, and restarts running units with the new
# programs.
set -e
getent passwd arena >/dev/null ||
	useradd --system --user-group --home-dir /var/lib/arena --no-create-home --shell /usr/sbin/nologin arena
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart arena.service arena-backup.timer
fi
