package notice_test

import (
	"log/slog"

	"versus2048/arena"
	"versus2048/arena/notice"
	"versus2048/arena/trouble"
	"versus2048/arena/webhook"
)

var _ = func(config arena.Config, hooks *webhook.Hooks, log *slog.Logger) arena.Config {
	teller := &notice.Teller{Hooks: hooks, Address: "https://arena.example.org", Log: log}
	watch := trouble.New(trouble.Config{
		Bounds: trouble.DefaultBounds(), Changed: teller.Changed, Lost: teller.Lost, Also: teller.Symptoms,
	})
	config.Watch, config.Told = watch, teller.News
	return config
}
