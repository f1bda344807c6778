package viewer

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// Terminal has the input and the output for showing a game full-screen.
type Terminal struct {
	Keys   *os.File // a terminal
	Screen *os.File // a terminal
}

// enter makes a terminal show its other screen without a cursor. leave brings the cursor and the old screen back.
const (
	enter = "\x1b[?1049h\x1b[?25l"
	leave = "\x1b[?25h\x1b[?1049l"
)

// lookForSize is the time between two checks of the terminal's size.
const lookForSize = 200 * time.Millisecond

// Run shows a game from a ply on, until a key asks to quit, the terminal sends no more keys or ctx ends. If search is
// set, Run also shows search reports. At the end it restores the terminal. Run returns an error if the terminal cannot
// be used.
func (g *Game) Run(ctx context.Context, t Terminal, ply int, search bool) (err error) {
	old, err := term.MakeRaw(int(t.Keys.Fd()))
	if err != nil {
		return fmt.Errorf("the terminal: %w", err)
	}
	defer func() {
		_, _ = io.WriteString(t.Screen, leave)
		_ = term.Restore(int(t.Keys.Fd()), old) // nothing can be done about an error
	}()
	if _, err := io.WriteString(t.Screen, enter); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	marks := make(chan []Mark, 1)
	go func() { marks <- g.Marks(ctx) }()
	s := &state{game: g, ply: ply, search: search, speed: normalSpeed}
	return s.follow(ctx, t.Screen, readKeys(ctx, t.Keys), marks)
}

// follow redraws the screen after each key, each ply of autoplay and each change of the terminal's size, and when the
// marks come.
func (s *state) follow(ctx context.Context, screen *os.File, keys <-chan string, marks <-chan []Mark) error {
	look := time.NewTicker(lookForSize)
	defer look.Stop()
	autoplay := time.NewTimer(speeds[s.speed])
	defer autoplay.Stop()
	shown := ""
	for {
		width, height, err := term.GetSize(int(screen.Fd()))
		if err != nil {
			return fmt.Errorf("the terminal: %w", err)
		}
		if drawn := drawing(s.lines(width, height)); drawn != shown {
			if _, err := io.WriteString(screen, drawn); err != nil {
				return err
			}
			shown = drawn
		}
		select {
		case <-ctx.Done():
			return nil
		case sent, open := <-keys:
			if !open {
				return nil
			}
			for _, k := range parseKeys(sent) {
				if !s.press(k) {
					return nil
				}
			}
			autoplay.Reset(speeds[s.speed])
		case <-autoplay.C:
			if s.playing {
				s.step()
			}
			autoplay.Reset(speeds[s.speed])
		case s.marks = <-marks:
			s.judged = true
		case <-look.C:
		}
	}
}

// drawing returns the text that draws lines from the top of a screen.
func drawing(lines []string) string {
	return "\x1b[H" + strings.Join(lines, "\x1b[K\r\n") + "\x1b[J"
}

// readKeys reads the bytes that a terminal sends, until the terminal is closed or ctx ends. A read that waits when ctx
// ends goes on until the next key.
func readKeys(ctx context.Context, keys *os.File) <-chan string {
	sent := make(chan string)
	go func() {
		defer close(sent)
		buffer := make([]byte, 256)
		for {
			n, err := keys.Read(buffer)
			if err != nil {
				return
			}
			select {
			case sent <- string(buffer[:n]):
			case <-ctx.Done():
				return
			}
		}
	}()
	return sent
}
