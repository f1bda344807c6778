#!/bin/sh
# The service ends before its programs are removed, but not before an upgrade: Debian calls this with "upgrade" or
# "remove", Fedora with the number of versions that stay.
set -e
case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now arena.service arena-backup.timer
	fi
	;;
esac
