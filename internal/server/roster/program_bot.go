package roster

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"versus2048/players/process"
	"versus2048/protocol/stdio"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// ProgramBot is a program that takes part in an event. It is a tournament.Bot.
type ProgramBot struct {
	name    string
	event   tournament.Event
	playing context.Context // the bot may start processes until this context ends
	program *process.Program
}

// ProgramConfig describes how a program is run.
type ProgramConfig struct {
	Command      []string      // the program and its arguments
	StartTimeout time.Duration // until a process is ready; 0 for stdio.StartTimeout
	Log          *slog.Logger  // of starts and ends; nil for none
}

// StartProgram starts the first process of a bot in an event. The bot may start more processes until playing ends.
// StartProgram returns an error if the process does not start, or if the program does not play the event's games. The
// caller must call Close.
func StartProgram(playing context.Context, name string, e tournament.Event, c ProgramConfig) (*ProgramBot, error) {
	p, err := process.Start(playing, process.Config{
		Command: c.Command, Budget: e.Settings.Budget, StartTimeout: c.StartTimeout, Log: c.Log,
	})
	if err != nil {
		return nil, err
	}
	if err := p.Plays().Suits(e.Rules, e.Size, e.Rules.Roles()...); err != nil {
		p.Close()
		return nil, err
	}
	return &ProgramBot{name, e, playing, p}, nil
}

// Close ends the processes.
func (b *ProgramBot) Close() { b.program.Close() }

// Identity returns the program's description of itself; its own name becomes the spec.
func (b *ProgramBot) Identity() tournament.Identity {
	return tournament.Identity{
		Name: b.name, Version: b.program.ID(stdio.IDVersion), Author: b.program.ID(stdio.IDAuthor), Spec: b.program.ID(stdio.IDName),
	}
}

// Slots returns the number of games at once. Each game has a process of its own.
func (b *ProgramBot) Slots() int { return b.event.Concurrency }

// Sit begins a game. It waits until a process is ready for it.
func (b *ProgramBot) Sit(a tournament.Assignment) tournament.Seat {
	opponent := a.Game.Record.Attacker
	if opponent == b.name {
		opponent = a.Game.Record.Defender
	}
	start := a.Game.Record.Start
	return seat{b.program.Play(b.playing, stdio.New{
		Game: strconv.FormatInt(a.Game.ID, 10), Role: a.Side, Rules: start.Rules(), Size: start.Size(), Seed: a.Seed,
		Clock: a.Clock, Match: a.Game.Match, Opponent: opponent, Resign: a.Settings.Adjudication.Resign,
	}), a.Side}
}

// seat is a tournament.Seat of a program.
type seat struct {
	*process.Game
	side rules.Side
}

// Played does nothing: the line go, which asks for a move, has the whole position.
func (seat) Played(rules.Move) {}

// Over tells the program how the game has ended.
func (s seat) Over(r tournament.GameResult) {
	over := stdio.Over{Score: &r.Score, Ending: r.Ending}
	if winner, decided := r.Game.Record.Winner(); decided {
		if over.Result = stdio.Lost; winner == s.side {
			over.Result = stdio.Won
		}
	}
	if r.Game.Record.Ending == record.Unfinished {
		over.Ending = record.Unfinished
	}
	s.Game.Over(over)
}
