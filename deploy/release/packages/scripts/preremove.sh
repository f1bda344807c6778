#!/bin/sh
# Ends the service before its programs are removed, but not before an upgrade. The argument is
# "remove" or "upgrade" on Debian, and the number of versions that stay on Fedora.
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now arena.service arena-backup.timer
	fi
	;;
esac
