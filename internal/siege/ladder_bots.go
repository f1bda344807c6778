package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
)

// ladderBot is a bot of a ladder. It has a process of its own.
type ladderBot struct {
	name, version string
	// secret is the path of a file. Its secret lets the bot come back to its games after it was killed.
	secret string
	moody  bool // whether it hangs, errs, and sends illegal moves and junk now and then
}

// The bots of a ladder. The steady ones must not lose a game by a fault.
const (
	steadyName  = "steady"
	leaverName  = "leaver"  // leaves for longer than the grace, and comes back
	crasherName = "crasher" // is killed, and started again at once
	moodyName   = "moody"
	lateName    = "late" // joins when the ladder has been played for a while
)

// steadyBots returns the names of the bots that are always connected.
func steadyBots() []string { return []string{steadyName + " 1", steadyName + " 2"} }

const (
	thinking   = 2 * time.Millisecond // the time for each move
	toldPrefix = "told of the end of game "
)

// play plays until ctx ends. The bot always reconnects, whatever the arena says. When the arena reports the end of a
// game, the bot prints the number of the game.
func (b ladderBot) play(ctx context.Context, url string) {
	random := rand.New(rand.NewPCG(2048, uint64(len(b.name+b.version))))
	for ctx.Err() == nil {
		session, cancel := context.WithCancel(ctx)
		if b.moody {
			session, cancel = context.WithTimeout(ctx, 20*time.Second)
		}
		secret, _ := os.ReadFile(b.secret) // there is none at first
		client := protocol.Client{
			Resume:   string(secret),
			Welcomed: func(secret string) { _ = os.WriteFile(b.secret, []byte(secret), 0o600) }, // if that fails, the bot cannot come back before the grace is over
			URL:      url, Hello: protocol.Hello{Name: b.name, Version: b.version, Slots: 2},
			New: func(s protocol.Start) (players.Player, error) {
				return &ladderPlayer{game: s.Game, random: rand.New(rand.NewPCG(s.Seed, 1)), moody: b.moody && random.IntN(5) == 0}, nil
			},
			Margin:    20 * time.Millisecond,
			Reconnect: time.Minute,
			Log:       slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})).With("bot", b.name),
		}
		_ = client.Run(session) // the bot comes back after any error
		cancel()
		if b.moody && ctx.Err() == nil {
			b.talkJunk(ctx, url)
		}
		wait(ctx, 200*time.Millisecond)
	}
}

// talkJunk answers the first requests with half a message each, and leaves.
func (b ladderBot) talkJunk(ctx context.Context, url string) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	ws, err := (&attacker{url: url}).dial(ctx)
	if err != nil {
		return
	}
	defer ws.Close()
	err = ws.WriteJSON(map[string]any{"type": "hello", "name": b.name, "version": b.version})
	for err == nil {
		var message struct{ Type string }
		_, text, readErr := ws.ReadMessage()
		if err = errors.Join(readErr, json.Unmarshal(text, &message)); err == nil && message.Type == "request" {
			err = ws.WriteMessage(1, []byte(`{"type":"move","game":`))
		}
	}
}

// ladderPlayer moves at random. A moody one makes a mistake at its first turn after ten plies.
type ladderPlayer struct {
	game   string
	random *rand.Rand
	moody  bool
	told   sync.Once
}

// Choose returns a legal move, unless a moody player makes its mistake.
func (p *ladderPlayer) Choose(ctx context.Context, position rules.Position) (rules.Move, error) {
	wait(ctx, thinking)
	moves := position.AppendMoves(nil)
	if p.moody && position.Ply() >= 10 {
		switch p.random.IntN(3) {
		case 0:
			<-ctx.Done() // it hangs until its time is over
			return 0, ctx.Err()
		case 1:
			return 0, errors.New("not in the mood")
		default:
			if position.SideToMove() == rules.Attacker {
				return rules.North, nil
			}
			return rules.Place(0, false), nil
		}
	}
	return moves[p.random.IntN(len(moves))], nil
}

// Ended prints the number of the game, once, if the arena has reported the end. An interrupted game has not ended yet.
func (p *ladderPlayer) Ended(o *protocol.Over) {
	if o != nil && o.Ending != record.Unfinished {
		p.told.Do(func() { fmt.Println(toldPrefix + p.game) })
	}
}

// botProcesses are the processes of a ladder's bots.
type botProcesses struct {
	f       *testArena
	running map[string]*exec.Cmd
}

// enter starts a bot's process, unless it runs.
func (b *botProcesses) enter(name, version string) error {
	if b.running[name] != nil {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	command := []string{self, "ladder-bot", "--url", b.f.url, "--name", name, "--version", version, "--secret", b.f.file(name + ".secret")}
	if name == moodyName {
		command = append(command, "--moody")
	}
	p, err := b.f.start("bots.log", command)
	if err == nil {
		b.running[name] = p
	}
	return err
}

// leave ends a bot's process: at SIGTERM the bot says goodbye to the arena, at SIGKILL it does not.
func (b *botProcesses) leave(name string, signal syscall.Signal) error {
	p := b.running[name]
	if p == nil {
		return nil
	}
	delete(b.running, name)
	err := p.Process.Signal(signal)
	_ = p.Wait() // it was told to end
	return err
}

// leaveAll ends all processes.
func (b *botProcesses) leaveAll() (err error) {
	for name := range b.running {
		err = errors.Join(err, b.leave(name, syscall.SIGKILL))
	}
	return err
}

// toldGames returns the numbers of the games that the arena has reported to a bot as ended.
func (f *testArena) toldGames() (games []string, err error) {
	text, err := os.ReadFile(f.file("bots.log"))
	for line := range strings.Lines(string(text)) {
		if game, found := strings.CutPrefix(strings.TrimSpace(line), toldPrefix); found {
			games = append(games, game)
		}
	}
	return games, err
}
