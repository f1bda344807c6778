package process

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode"

	"versus2048/players/clock"
	"versus2048/protocol/stdio"
)

// hear handles a line from the process. It reports false if the process has written too much.
func (p *child) hear(line string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.written += len(line) + 1; p.written > p.limits.Output {
		return false
	}
	answer, err := stdio.ParseAnswer(line)
	switch a := answer.(type) {
	case nil:
		p.remark(err.Error() + "; it was ignored")
	case stdio.Unknown:
		p.remark(fmt.Sprintf("line %.200q: the first word is unknown; it was ignored (a log belongs on stderr)", line))
	case stdio.ID, stdio.Option, stdio.Plays, stdio.Ready:
		p.hearGreeting(a, line)
	case stdio.Info:
		if p.asked != nil {
			p.asked.search.Add(a)
		}
	default: // a Move, a Resign or an Error
		p.hearAnswer(a)
	}
	return true
}

// hearAnswer handles the answer to a question. The caller holds the lock, as for hearGreeting and remark.
func (p *child) hearAnswer(a stdio.Answer) {
	if problem, ok := a.(stdio.Error); ok && p.asked == nil {
		p.remark(fmt.Sprintf("it reports the error %.300q", problem.Text))
		return
	}
	if p.asked == nil {
		p.remark(fmt.Sprintf("line %.200q: nothing was asked; it was ignored", a))
		return
	}
	p.asked.turn.Arrived(p.output.LastRead())
	p.asked.answer <- a
	p.asked, p.answered = nil, time.Now()
}

// hearGreeting handles a line of the greeting.
func (p *child) hearGreeting(a stdio.Answer, line string) {
	if p.greeted {
		p.remark(fmt.Sprintf("line %.200q: it comes too late; it was ignored", a))
		return
	}
	switch a := a.(type) {
	case stdio.ID:
		if len(p.greeting.ids) < maxOptions {
			p.greeting.ids[a.Key] = field(a.Text)
		}
	case stdio.Option:
		if len(p.greeting.options) < maxOptions {
			p.greeting.options = append(p.greeting.options, a)
		}
	case stdio.Plays:
		p.greeting.plays, p.greeting.playsLine = a.Games, line
	case stdio.Ready:
		p.greeted = true
		close(p.greeting.ready)
	}
}

// remark writes a mistake of the process to the log. The text also becomes the complaint, which is added to the
// detail of a fault.
func (p *child) remark(text string) {
	p.complaint = text
	if p.remarks++; p.remarks <= maxRemarks {
		fmt.Fprintf(&p.log, "arena: %s\n", text)
	}
}

// maxField is the largest number of characters that are kept of a text about the program.
const maxField = 200

// field makes a text of the program fit for a field: at most maxField printable characters.
func field(text string) string {
	runes := make([]rune, 0, min(len(text), maxField))
	for _, r := range text {
		if unicode.IsPrint(r) && len(runes) < maxField {
			runes = append(runes, r)
		}
	}
	return string(runes)
}

// greet says hello, and returns the greeting of the process, which must come within the given time. The process
// may write it before the hello, since its output is read from the start.
func (p *child) greet(ctx context.Context, within time.Duration) (*greeting, error) {
	p.send(stdio.Hello{Version: stdio.Version}.String())
	select {
	case <-p.greeting.ready:
		return p.greeting, nil
	case <-p.gone:
		return nil, p.reason()
	case <-time.After(within):
		p.lose(fmt.Sprintf("it is not ready after %v: give it more time with --start-timeout %v", within, 2*within) + p.hint())
		return nil, p.reason()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// hint returns what may be wrong with a process that is not ready in time, as the end of a sentence.
func (p *child) hint() string {
	p.noteUnended()
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.complaint != "":
		return "; " + p.complaint
	case p.written == 0:
		return "; " + NoLine
	}
	return ""
}

// NoLine says that a program has written no line after its start, and names the likely mistake.
const NoLine = "no line came: does it flush its output after `ready`?"

// noteUnended remarks on a line that has no end.
func (p *child) noteUnended() {
	if text := p.unended.Text(); text != "" {
		p.note(text)
	}
}

// lastComplaint returns the last mistake since the last question or the start of the game, "" if there is none.
func (p *child) lastComplaint() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.complaint
}

// lastSent returns the last line that was sent to the process.
func (p *child) lastSent() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sent
}

// note is remark for a caller that does not hold the lock.
func (p *child) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.remark(text)
}

func (p *child) begin(game stdio.New) {
	p.mu.Lock()
	p.written, p.complaint, p.remarks = 0, "", 0
	p.mu.Unlock()
	p.log.reset()
	p.send(game.String())
}

// ask sends a Go. The turn starts when the line leaves.
func (p *child) ask(g stdio.Go, turn *clock.Turn) *question {
	turn.Hold()
	q := &question{turn: turn, answer: make(chan stdio.Answer, 1)}
	p.mu.Lock()
	p.asked, p.written, p.complaint = q, 0, ""
	p.mu.Unlock()
	p.queue(line{g.String(), turn})
	return q
}

// withdraw withdraws a question. It returns the answer if that has just come, else nil.
func (p *child) withdraw(q *question) stdio.Answer {
	p.mu.Lock()
	p.asked = nil
	p.mu.Unlock()
	select {
	case answer := <-q.answer:
		return answer
	default:
		return nil
	}
}

// errEnded means that a game is over.
var errEnded = errors.New("the game is over")
