package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"versus2048/cmd/internal/botcmd"
	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/server"
	"versus2048/internal/text/plain"
	"versus2048/internal/web/archive"
	"versus2048/results"
	"versus2048/tournament"
)

func choices() cmdline.Choices {
	return cmdline.Choices{
		Flags: flagChoices(),
		Arguments: map[string]func(cmdline.Typed) []cmdline.Candidate{
			"BOT":   connected,
			"NAME":  named,
			"EVENT": eventNumbers,
			"SPEC":  botcmd.Specs,
		},
	}
}

// flagChoices returns the choices of the flags that set an event's settings, and of a few other flags.
func flagChoices() map[string]func(cmdline.Typed) []cmdline.Candidate {
	flags := map[string]func(cmdline.Typed) []cmdline.Candidate{}
	for _, s := range tournament.AllSettings() {
		if s.Choices != nil {
			flags[s.Name] = cmdline.Words(s.Choices...)
		}
	}
	flags["bot"], flags["event"], flags["format"] = botcmd.Specs, eventNumbers, formats
	flags["registration"] = cmdline.Words("closed", "invite", "open")
	flags["openings"] = cmdline.Words("none", "random:plies=")
	return flags
}

// formats offers the values of --format: the forms of an export or a report, otherwise the formats of tournaments. The
// flag --format of cmdline.OutputFlags has its own choices.
func formats(t cmdline.Typed) []cmdline.Candidate {
	switch t.Command {
	case "export":
		return cmdline.Words(linesFormat, parquetFormat)(t)
	case "report":
		return cmdline.Words(archive.ReportForms()...)(t)
	}
	return cmdline.Words(tournament.Formats()...)(t)
}

// patience is the longest time that a completion may take: the user has pressed the tabulator key and waits.
const patience = time.Second

// recent is the largest number of a database's events that a completion offers.
const recent = 30

// asksArena reports whether the command asks the running arena of --server, and does not read a database. Where
// --server has a default, --db overrides it: see hosting.Reads.
func asksArena(t cmdline.Typed) bool {
	return t.Flags["server"] != "" && !slices.Contains(t.Given, "db")
}

// eventNumbers offers the numbers of events: on a running arena the events since its start, in a database the latest
// ones. It offers nothing after an error.
func eventNumbers(t cmdline.Typed) []cmdline.Candidate {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if asksArena(t) {
		return playedEvents(ctx, t)
	}
	return inDatabase(ctx, t, recentEvents)
}

func playedEvents(ctx context.Context, t cmdline.Typed) (candidates []cmdline.Candidate) {
	played, _ := (&server.Client{URL: t.Flags["server"]}).Events(ctx) // none on an error
	for _, e := range played {
		candidates = append(candidates, cmdline.Candidate{Text: fmt.Sprint(e.Event), Meaning: plain.Line(e.Name)})
	}
	return candidates
}

// recentEvents offers the latest events of a database.
func recentEvents(ctx context.Context, store *results.Reader) (candidates []cmdline.Candidate) {
	ids, err := store.EventsAfter(ctx, 0)
	if err != nil {
		return nil
	}
	slices.Reverse(ids)
	for _, id := range ids[:min(recent, len(ids))] {
		e, err := store.Event(ctx, id)
		if err != nil {
			return candidates
		}
		candidates = append(candidates, cmdline.Candidate{Text: fmt.Sprint(id), Meaning: plain.Line(e.Name)})
	}
	return candidates
}

// inDatabase returns the candidates that find finds in the database of --db, none if the database cannot be read.
func inDatabase(ctx context.Context, t cmdline.Typed, find func(context.Context, *results.Reader) []cmdline.Candidate) []cmdline.Candidate {
	if t.Flags["db"] == "" {
		return nil
	}
	store, err := results.OpenReader(ctx, t.Flags["db"])
	if err != nil {
		return nil
	}
	defer store.Close()
	return find(ctx, store)
}

// named offers names. If the command asks the running arena, they are the connected bots. Otherwise they are the owners
// of valid tokens in the database: operators with --operator, and else bots.
func named(t cmdline.Typed) []cmdline.Candidate {
	if asksArena(t) {
		return connected(t)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	role := server.BotRole
	if slices.Contains(t.Given, "operator") {
		role = server.OperatorRole
	}
	return inDatabase(ctx, t, func(ctx context.Context, store *results.Reader) []cmdline.Candidate { return owners(ctx, store, role) })
}

// owners offers the names that have a valid token for a role in a database.
func owners(ctx context.Context, store *results.Reader, role server.Role) (candidates []cmdline.Candidate) {
	tokens, _ := store.Tokens().All(ctx) // none on an error
	for _, token := range tokens {
		owner := cmdline.Candidate{Text: token.Name}
		if token.Role == string(role) && !token.Revoked && !slices.Contains(candidates, owner) {
			candidates = append(candidates, owner)
		}
	}
	return candidates
}

// connected offers the bots that are connected to the running arena, and nothing if the command reads a database.
func connected(t cmdline.Typed) (candidates []cmdline.Candidate) {
	if !asksArena(t) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	bots, _ := (&server.Client{URL: t.Flags["server"]}).Bots(ctx) // none on an error
	for _, b := range bots {
		candidates = append(candidates, cmdline.Candidate{Text: b.Name, Meaning: plain.Line(b.Spec)})
	}
	return candidates
}
