package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"versus2048/protocol/stdio"
)

// pipeProgram is a wrong bot that speaks the line protocol, in this process.
type pipeProgram struct {
	in     *io.PipeWriter
	out    *io.PipeReader
	ended  chan struct{}
	ctx    context.Context
	cancel context.CancelFunc
	term   chan struct{}
	once   sync.Once
	status string
	bot    *wrongBot
}

// startPipe starts a wrong bot.
func startPipe(name string, w *world) (program, error) {
	botIn, in := io.Pipe()
	out, botOut := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	p := &pipeProgram{in: in, out: out, ended: make(chan struct{}), ctx: ctx, cancel: cancel, term: make(chan struct{}), bot: newWrongBot(name, w)}
	l := &lineWrong{wrongBot: p.bot, out: botOut, chunks: make(chan string), program: p, stop: make(chan struct{})}
	p.bot.send = l.say
	w.running.Add(1)
	go l.read(botIn)
	go func() {
		defer close(p.ended)
		defer w.running.Add(-1)
		defer botOut.Close()
		defer botIn.Close()
		l.run()
	}()
	return p, nil
}

func (p *pipeProgram) stdout() io.Reader {
	if p.out == nil { // it plays over a socket and prints nothing
		return strings.NewReader("")
	}
	return p.out
}

func (p *pipeProgram) stdin() io.WriteCloser { return p.in }
func (p *pipeProgram) stderr() string        { return "" }
func (p *pipeProgram) terminate()            { p.once.Do(func() { close(p.term) }) }
func (p *pipeProgram) done() <-chan struct{} { return p.ended }
func (p *pipeProgram) exit() string          { <-p.ended; return p.status }
func (p *pipeProgram) kill()                 { p.cancel(); p.in.Close(); p.out.Close() }
func (p *pipeProgram) memory() (int64, bool) {
	if p.bot.is("needs more memory with each game") {
		return int64(p.bot.overs.Load()) << 21, true
	}
	return 8 << 20, true
}

func (p *pipeProgram) remaining() (int, bool) {
	if p.bot.is("leaves a child behind") {
		return 1, true
	}
	return 0, true
}

// lineWrong speaks the line protocol for a wrong bot.
type lineWrong struct {
	*wrongBot
	out     io.Writer
	chunks  chan string
	program *pipeProgram
	stop    chan struct{} // ends the search
	busy    sync.WaitGroup
	writing sync.Mutex
	search  atomic.Int32 // answers being thought about
}

func (l *lineWrong) read(in io.Reader) {
	defer close(l.chunks)
	buffer := make([]byte, 128<<10)
	for {
		n, err := in.Read(buffer)
		if err != nil {
			return
		}
		select {
		case l.chunks <- string(buffer[:n]):
		case <-l.program.ended:
			return
		}
	}
}

var errDies = errors.New("the bot dies")

// run handles lines until the bot ends.
func (l *lineWrong) run() {
	defer l.busy.Wait()
	defer func() { close(l.stop) }()
	if l.is("speaks first") {
		l.print("Wrong bot, version 1")
	}
	rest := ""
	for {
		select {
		case chunk, ok := <-l.chunks:
			if !ok && l.is("ignores the end of its input") {
				<-l.program.ctx.Done()
			}
			if !ok {
				return
			}
			rest += chunk
		case <-l.program.term:
			if !l.is("ignores SIGTERM") {
				return
			}
			<-l.program.ctx.Done()
		case <-l.program.ctx.Done():
			return
		}
		if l.is("takes each read for a line") {
			rest = strings.TrimRight(rest, "\n") + "\n"
		}
		for {
			line, after, ok := strings.Cut(rest, "\n")
			if !ok {
				break
			}
			if rest = after; l.is("reads one line of each read") {
				rest = ""
			}
			if err := l.handle(line); err != nil {
				return
			}
		}
	}
}

func (l *lineWrong) print(lines ...string) {
	l.writing.Lock()
	defer l.writing.Unlock()
	_, _ = io.WriteString(l.out, strings.Join(lines, "\n")+"\n")
}

// handle handles a line. An error ends the bot.
func (l *lineWrong) handle(line string) error {
	if strings.HasSuffix(line, "\r") && l.is("dies of a carriage return") || len(line) > 4096 && l.is("has a short buffer") {
		return errDies
	}
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	if l.is("splits at each space") && strings.Contains(line, "  ") || l.is("knows no tabs") && strings.Contains(line, "\t") {
		return nil
	}
	before := strings.Index(line, "ply=") < strings.Index(line, "score=")
	switch {
	case l.is("dies of unknown fields") && strings.Contains(line, "x_before"),
		l.is("dies of a field that may be absent") && strings.Contains(line, "match=7"),
		l.is("reads only ASCII") && strings.Contains(line, "%F0"):
		return errDies
	case l.is("wants fields in order") && word == "go" && !before:
		return errDies
	}
	r, err := stdio.ParseRequest(line)
	if err != nil {
		l.print(stdio.Error{Text: err.Error()}.String())
		return nil
	}
	if word == "" {
		return nil
	}
	return l.request(r)
}

func (l *lineWrong) request(r stdio.Request) error {
	switch r := r.(type) {
	case stdio.Hello:
		l.greet()
	case stdio.Set:
		if r.Name == "level" && l.is("refuses its own default") {
			l.print("error no such level")
		}
		if r.Name == "no_such_option" && l.is("dies of an unknown option") {
			return errDies
		}
	case stdio.New:
		g := &wrongGame{name: r.Game, opponent: r.Opponent, role: r.Role, rules: r.Rules, size: r.Size, ply: -1, move: r.Clock.PerMove, base: r.Clock.Base, resign: r.Resign}
		l.begin(g)
		if l.is("moves at the beginning") {
			l.busy.Go(func() { l.moveUnasked(g, l.stop) })
		}
	case stdio.Go:
		l.think(r)
	case stdio.Over:
		if l.search.Load() > 0 && l.is("dies of an end while it thinks") {
			return errDies
		}
		close(l.stop)
		l.busy.Wait()
		l.stop = make(chan struct{})
		if l.last != nil {
			l.end(l.last.name)
			if l.is("moves after the end") && l.askedIn(l.last) == 0 {
				l.print("move (4,4)")
			}
		}
	case stdio.Quit:
		if l.is("ignores quit") && l.search.Load() == 0 {
			<-l.program.ctx.Done()
		}
		if l.is("does not read quit while it thinks") && l.search.Load() > 0 {
			l.busy.Wait()
		}
		if l.is("ends with a status") {
			l.program.status = "exit status 3"
		}
		return errDies
	default:
		if l.is("dies of unknown messages") && fmt.Sprint(r) != "" {
			return errDies
		}
	}
	return nil
}

// moveUnasked moves after a while, unless it was asked.
func (l *lineWrong) moveUnasked(g *wrongGame, stop <-chan struct{}) {
	select {
	case <-time.After(aMoment / 2):
		if l.search.Load() == 0 && l.askedIn(g) == 0 {
			l.print("move (4,4)")
		}
	case <-stop:
	}
}

func (l *lineWrong) greet() {
	lines := []string{"id name wrong", "id version 1", "option name=level type=int default=3 min=1 max=9", "option name=mood type=choice default=good choices=good,bad"}
	if games := l.world.said(); games.String() != "" {
		lines = append(lines, stdio.Plays{Games: games}.String())
	}
	switch l.fault {
	case "never is ready":
		return
	case "is anonymous":
		lines = lines[2:]
	case "has an option twice":
		lines = append(lines, lines[2])
	case "has an option without a type":
		lines = append(lines, "option name=other default=1")
	case "has a default out of range":
		lines = append(lines, "option name=other type=int default=12 max=9")
	case "has a broken option":
		lines = append(lines, "option type=int default=12 max=9")
	}
	l.print(append(lines, "ready")...)
}

func (l *lineWrong) think(r stdio.Go) {
	g := l.last
	if g == nil {
		return
	}
	l.mu.Lock()
	if g.ply < 0 {
		g.ply = r.Position.Ply()
	}
	l.mu.Unlock()
	l.search.Add(1)
	stop := l.stop
	l.busy.Go(func() {
		l.answer(l.program.ctx, &turn{g, r.Position, r.Left, r.Limited}, stop)
	})
}

func (l *lineWrong) say(kind, text string, t *turn) {
	l.search.Store(0)
	lines := []string{strings.TrimSpace(kind + " " + text)}
	switch l.fault {
	case "writes no UTF-8":
		lines = append([]string{"info string \xff"}, lines...)
	case "writes a line without an end":
		lines = append([]string{strings.Repeat("x", stdio.MaxLine+10)}, lines...)
	case "logs on its output":
		lines = append([]string{"thinking..."}, lines...)
	case "writes too much":
		if t.p.Ply() < 2 {
			lines = append([]string{strings.Repeat("info nodes=1\n", modest)}, lines...)
		}
	case "reports nonsense":
		lines = append([]string{"info pv=(4,4),(4,4)"}, lines...)
	case "reports what cannot be read":
		lines = append([]string{"info pv=north"}, lines...)
	}
	l.print(lines...)
}
