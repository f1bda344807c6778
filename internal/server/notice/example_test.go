package notice_test

import (
	"log/slog"

	"versus2048/internal/server"
	"versus2048/internal/server/notice"
	"versus2048/internal/server/trouble"
	"versus2048/internal/server/webhook"
)

var _ = func(config server.Config, hooks *webhook.Hooks, log *slog.Logger) server.Config {
	teller := &notice.Teller{Hooks: hooks, Address: "https://arena.example.org", Log: log}
	watch := trouble.New(trouble.Config{
		Bounds: trouble.DefaultBounds(), Changed: teller.Changed, Lost: teller.Lost, Also: teller.Symptoms,
	})
	config.Watch, config.Told = watch, teller.News
	return config
}
