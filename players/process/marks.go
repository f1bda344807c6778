package process

import (
	"bytes"
	"crypto/rand"
	"io"
	"sync"
)

// marks passes on what it is written, without the marks that we write between: a mark behind all that a process has
// written shows when that has been read.
type marks struct {
	to io.Writer // set before the first Write

	mu   sync.Mutex
	mark []byte        // the one that is awaited, nil for none
	read chan struct{} // closed when it comes
	held []byte        // what may be the beginning of it
}

// put writes a mark to the other end of what is read. The channel is closed once all that was written there before
// has been passed on.
func (m *marks) put(end io.Writer) (read chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mark == nil { // else one is on its way, in vain so far
		m.mark, m.read = []byte(rand.Text()), make(chan struct{})
		go func(mark []byte) { _, _ = end.Write(mark) }(m.mark) // as slowly as the pipe is read
	}
	return m.read
}

// Write implements io.Writer.
func (m *marks) Write(text []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := append(m.held, text...)
	before, after, found := bytes.Cut(all, m.mark)
	if found = found && m.mark != nil; found {
		all, m.mark = append(before, after...), nil
	}
	begun := beginning(all, m.mark)
	_, err := m.to.Write(all[:len(all)-begun])
	m.held = bytes.Clone(all[len(all)-begun:])
	if found {
		close(m.read)
	}
	return len(text), err
}

// beginning returns how many bytes at the end of a text may be the beginning of the mark.
func beginning(text, mark []byte) int {
	for n := min(len(text), len(mark)); n > 0; n-- {
		if bytes.HasPrefix(mark, text[len(text)-n:]) {
			return n
		}
	}
	return 0
}
