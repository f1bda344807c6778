package protocol_test

import (
	"context"
	"log/slog"
)

// logTo is a log that passes on its messages.
func logTo(pass func(message string)) *slog.Logger { return slog.New(messages(pass)) }

type messages func(string)

func (messages) Enabled(context.Context, slog.Level) bool { return true }

func (m messages) Handle(_ context.Context, r slog.Record) error {
	m(r.Message)
	return nil
}

func (m messages) WithAttrs([]slog.Attr) slog.Handler { return m }
func (m messages) WithGroup(string) slog.Handler      { return m }
