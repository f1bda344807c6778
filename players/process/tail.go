package process

import (
	"bytes"
	"strings"
	"sync"
)

// MaxLog is the size of a game's log in bytes: only the end of a longer log is kept.
const MaxLog = 64 << 10

// Tail keeps the last Size bytes that are written to it, for the log of a process.
type Tail struct {
	Size int

	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer. It never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if len(t.text) > 2*t.Size { // so that few writes move the whole text
		t.text = append(t.text[:0], t.text[len(t.text)-t.Size:]...)
	}
	return len(p), nil
}

// Bytes returns the last Size bytes.
func (t *Tail) Bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.text[max(0, len(t.text)-t.Size):])
}

// reset forgets everything.
func (t *Tail) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = t.text[:0]
}

// lastLine returns the last line of a text, apart from empty lines.
func lastLine(text []byte) string {
	trimmed := strings.TrimSpace(string(text))
	return strings.TrimSpace(trimmed[strings.LastIndexByte(trimmed, '\n')+1:])
}
