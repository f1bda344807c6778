package gate

import (
	"context"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"time"
)

// A calm log writes the first logLines lines with the same message. It only counts the further ones, and writes their
// number when logWindow has passed since the first line.
const (
	logLines  = 20
	logWindow = time.Minute
)

// CalmLog returns a log that strangers cannot fill: of each message it writes few lines a minute, then a summary of the
// others.
func CalmLog(log *slog.Logger) *slog.Logger {
	return slog.New(&calmHandler{Handler: log.Handler(), seen: &seen{messages: map[string]*tally{}}})
}

// calmHandler is the handler of a calm log.
type calmHandler struct {
	slog.Handler
	seen *seen
}

// seen counts the lines that a log has written or left out, by message.
type seen struct {
	mu       sync.Mutex
	messages map[string]*tally
}

// tally counts the lines with one message since the last summary.
type tally struct {
	lines int
	from  map[string]int // the lines left out, by machine, for at most maxMachines machines
}

// maxMachines is the largest number of machines in a tally. The lines of further machines are not counted by machine.
const maxMachines = 1000

// Handle writes the record, unless enough lines with its message were written: then it only counts the record.
func (h *calmHandler) Handle(ctx context.Context, r slog.Record) error {
	if !h.seen.count(r, h.summarise) {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

func (h *calmHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &calmHandler{h.Handler.WithAttrs(attrs), h.seen}
}

func (h *calmHandler) WithGroup(name string) slog.Handler {
	return &calmHandler{h.Handler.WithGroup(name), h.seen}
}

// count reports whether a record is to be written. It calls summarise a minute after the first line with the same
// message.
func (s *seen) count(r slog.Record, summarise func(message string, t *tally)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.messages[r.Message]
	if t == nil {
		t = &tally{from: map[string]int{}}
		s.messages[r.Message] = t
		time.AfterFunc(logWindow, func() {
			s.mu.Lock()
			delete(s.messages, r.Message)
			s.mu.Unlock()
			summarise(r.Message, t)
		})
	}
	if t.lines++; t.lines <= logLines {
		return true
	}
	if from := machine(r); len(t.from) < maxMachines || t.from[from] > 0 {
		t.from[from]++
	}
	return false
}

// machine returns the machine that a record is about, from its attribute "from".
func machine(r slog.Record) (from string) {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "from" {
			from = a.Value.String()
			if host, _, err := net.SplitHostPort(from); err == nil {
				from = host
			}
		}
		return true
	})
	return from
}

// summarise writes how many lines were left out, and which machine caused most of them.
func (h *calmHandler) summarise(message string, t *tally) {
	if t.lines <= logLines {
		return
	}
	worst := slices.MaxFunc(slices.Collect(maps.Keys(t.from)), func(a, b string) int { return t.from[a] - t.from[b] })
	r := slog.NewRecord(time.Now(), slog.LevelWarn, "more of the same was not logged", 0)
	r.AddAttrs(slog.String("message", message), slog.Int("lines", t.lines-logLines), slog.Duration("within", logWindow),
		slog.Int("machines", len(t.from)), slog.String("most", worst), slog.Int("of them", t.from[worst]))
	_ = h.Handler.Handle(context.Background(), r) // there is no other place for an error
}
