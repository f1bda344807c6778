package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
)

func eventsFlag() cli.Flag {
	return &cli.StringFlag{Name: "events", Usage: "append a line of JSON to this file for each thing that happens (docs/EVENTS.md)"}
}

// eventsFile is the file of --events.
type eventsFile struct {
	*os.File // nil without one
	done     chan error
}

// openEvents opens the file of --events for appending. A line that a killed run
// has left unfinished is ended.
func openEvents(c *cli.Context) (*eventsFile, error) {
	path := c.String("events")
	if path == "" {
		return &eventsFile{}, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err == nil {
		err = endLine(file)
	}
	if err != nil {
		return nil, fmt.Errorf("the file of --events: %w", err)
	}
	return &eventsFile{file, make(chan error, 1)}, nil
}

// endLine ends the last line of a file.
func endLine(file *os.File) error {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, size-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = file.WriteString("\n")
	return err
}

// follow begins to write an event's news.
func (f *eventsFile) follow(ctx context.Context, client *arena.Client, event int64) {
	if f.File == nil {
		return
	}
	go func() { f.done <- client.FollowNews(ctx, event, f.write) }()
}

// write writes one of the news; nothing of it stays in this process.
func (f *eventsFile) write(n arena.News) error {
	line, err := json.Marshal(n)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return err
}

// end waits for the event's last news, if it was followed.
func (f *eventsFile) end(followed bool) (err error) {
	if f.File == nil {
		return nil
	}
	if followed {
		err = <-f.done
	}
	if err := errors.Join(err, f.Close()); err != nil && !errors.Is(err, arena.ErrLost) {
		return fmt.Errorf("the file of --events is not complete: %w", err)
	}
	return nil // whoever follows the event hears that the arena is lost
}
