#!/bin/sh
# The user and /var/lib/arena stay, since the games belong to the host.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
