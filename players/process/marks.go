package process

import (
	"bytes"
	"crypto/rand"
	"io"
	"sync"
)

// marks is a Writer that passes on the output of a process without the marks that put writes into the same pipe.
// When a mark arrives, all output that the process wrote before the mark has been read.
type marks struct {
	to io.Writer // set before the first Write

	mu   sync.Mutex
	mark []byte        // the expected mark, nil for none
	read chan struct{} // closed when the mark arrives
	next chan struct{} // closed when the next mark arrives; nil if no next mark is wanted
	end  io.Writer     // receives the next mark
	held []byte        // bytes that may be the beginning of the mark
}

// put writes a mark to the writing end of the pipe. The returned channel is closed when all output before put has been
// passed on. If an earlier mark is still on its way, Write writes the new mark when the earlier one arrives: the
// process may have written more in between.
func (m *marks) put(end io.Writer) (read chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mark == nil {
		m.begin(end, make(chan struct{}))
		return m.read
	}
	if m.next == nil {
		m.next, m.end = make(chan struct{}), end
	}
	return m.next
}

// begin writes a mark. The caller holds the lock.
func (m *marks) begin(end io.Writer, read chan struct{}) {
	m.mark, m.read = []byte(rand.Text()), read
	go func(mark []byte) { _, _ = end.Write(mark) }(m.mark) // may block until the pipe is read
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
		if m.next != nil {
			m.begin(m.end, m.next)
			m.next = nil
		}
	}
	return len(text), err
}

// beginning returns the number of bytes at the end of a text that may be the beginning of the mark.
func beginning(text, mark []byte) int {
	for n := min(len(text), len(mark)); n > 0; n-- {
		if bytes.HasPrefix(mark, text[len(text)-n:]) {
			return n
		}
	}
	return 0
}
