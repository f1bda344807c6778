package webhook_test

import (
	"context"
	"log/slog"
	"time"

	"versus2048/internal/server/webhook"
)

var _ = func(ctx context.Context, secret webhook.Secret, now time.Time, log *slog.Logger) error {
	target, err := webhook.ParseTarget("https://alerts.example.org/arena")
	if err != nil {
		return err
	}
	hooks := webhook.New(webhook.Config{Targets: []webhook.Target{target}, Secret: secret, Log: log})
	go hooks.Run(ctx)
	hooks.Send(webhook.Notice{Type: "event_started", Time: now, Text: "event 3 has begun"})
	return nil
}
