package hosting

import (
	"context"
	"log/slog"

	"github.com/coreos/go-systemd/v22/daemon"
)

// Ready tells the systemd that started this process that it serves, and tells it once more when ctx ends
// that it is stopping (sd_notify(3), for units of Type=notify). Where no systemd has asked for it, it does nothing.
func Ready(ctx context.Context, log *slog.Logger) {
	notify(daemon.SdNotifyReady, log)
	context.AfterFunc(ctx, func() { notify(daemon.SdNotifyStopping, log) })
}

// notify sends a state to systemd. An arena plays on if it cannot: systemd says itself what it misses.
func notify(state string, log *slog.Logger) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("systemd cannot be told", "state", state, "why", err)
	}
}
