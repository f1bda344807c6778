package hosting

import (
	"context"
	"log/slog"

	"github.com/coreos/go-systemd/v22/daemon"
)

// reportReady reports to the systemd that started this process that it serves, and when ctx ends that it is stopping
// (sd_notify(3), for units of Type=notify). It does nothing without such a systemd.
func reportReady(ctx context.Context, log *slog.Logger) {
	notify(daemon.SdNotifyReady, log)
	context.AfterFunc(ctx, func() { notify(daemon.SdNotifyStopping, log) })
}

// notify sends a state to systemd. If that fails, the arena plays on: systemd itself will report the missing state.
func notify(state string, log *slog.Logger) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("systemd cannot be told", "state", state, "why", err)
	}
}
