package testkit

import (
	"bytes"
	"sync"
)

// Transcript keeps text. It can be read while others write.
type Transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *Transcript) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String returns the text so far.
func (o *Transcript) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
