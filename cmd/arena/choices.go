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
			"NAME":  connected,
			"EVENT": eventNumbers,
			"SPEC":  botcmd.Specs,
		},
	}
}

// flagChoices returns the choices of flags: of the settings of events, and of others.
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

// formats offers the formats of tournaments, of exports and of reports. The flags of other outputs know their formats themselves.
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

// recent is the largest number of events of a database that are offered.
const recent = 30

// eventNumbers offers the events of the running arena since its start, if --server is set or has a default, and else
// the latest events of the database. It offers nothing if it finds none.
func eventNumbers(t cmdline.Typed) (candidates []cmdline.Candidate) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if t.Flags["server"] != "" {
		played, _ := (&server.Client{URL: t.Flags["server"]}).Events(ctx) // none with an error
		for _, e := range played {
			candidates = append(candidates, cmdline.Candidate{Text: fmt.Sprint(e.Event), Meaning: plain.Line(e.Name)})
		}
		return candidates
	}
	if t.Flags["db"] == "" {
		return nil
	}
	store, err := results.OpenReader(ctx, t.Flags["db"])
	if err != nil {
		return nil
	}
	defer store.Close()
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

func connected(t cmdline.Typed) (candidates []cmdline.Candidate) {
	if t.Flags["server"] == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	bots, _ := (&server.Client{URL: t.Flags["server"]}).Bots(ctx) // none with an error
	for _, b := range bots {
		candidates = append(candidates, cmdline.Candidate{Text: b.Name, Meaning: plain.Line(b.Spec)})
	}
	return candidates
}
