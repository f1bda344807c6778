package process

import (
	"bytes"
	"strings"
	"sync"
)

// MaxLog is the size of a game's log in bytes: only the end of a longer log is kept.
const MaxLog = 64 << 10

// tail keeps the last MaxLog bytes that are written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer. It never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if len(t.text) > 2*MaxLog { // so that few writes move the whole text
		t.text = append(t.text[:0], t.text[len(t.text)-MaxLog:]...)
	}
	return len(p), nil
}

// bytes returns the last MaxLog bytes.
func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.text[max(0, len(t.text)-MaxLog):])
}

// reset forgets everything.
func (t *tail) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = t.text[:0]
}

// lastLine returns the last line of a text that is not empty.
func lastLine(text []byte) string {
	trimmed := strings.TrimSpace(string(text))
	return strings.TrimSpace(trimmed[strings.LastIndexByte(trimmed, '\n')+1:])
}
