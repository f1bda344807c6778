package mcp

import (
	"context"
	"fmt"
	"net/url"

	"versus2048/internal/server"
	"versus2048/tournament"
)

// addWatching adds the tools that look at events and bots.
func (s *Server) addWatching() {
	tool(s, "list_events", "The events of the arena, the latest first: in progress, in the queue and on record.", reading(), listEvents)
	tool(s, "list_bots", "The bots that are connected, and the kinds of bots that the arena itself can play.", reading(), listBots)
	tool(s, "standings", "The places of an event by the rules of its format, best first.", reading(), standings)
	tool(s, "head_to_head", "All matches of two bots against each other, for each rules and board size.", reading(), headToHead)
}

// ListEventsIn selects events.
type ListEventsIn struct {
	Bot    string `json:"bot,omitempty" jsonschema:"only events of this bot"`
	State  string `json:"state,omitempty" jsonschema:"only events in this state: being played, queued, finished or interrupted"`
	Offset int    `json:"offset,omitempty" jsonschema:"the number of events to leave out at the beginning"`
}

// ListEventsOut lists at most 50 events.
type ListEventsOut struct {
	Total   int     `json:"total" jsonschema:"the number of all selected events"`
	Reading bool    `json:"reading,omitempty" jsonschema:"true while the arena has not read all events yet: ask again"`
	Events  []Event `json:"events" jsonschema:"at most 50 of them"`
}

// Event is an event on record.
type Event struct {
	Event   int64    `json:"event" jsonschema:"its number"`
	Name    string   `json:"name" jsonschema:"its name"`
	Created string   `json:"created" jsonschema:"the time at which it was made"`
	Format  string   `json:"format" jsonschema:"the format: round-robin, gauntlet, swiss, knockout, ladder and others"`
	Rules   string   `json:"rules" jsonschema:"gpcc2015, gpcc2016 or solo"`
	Size    string   `json:"size" jsonschema:"columns x rows"`
	Bots    []string `json:"bots" jsonschema:"the names of its bots"`
	State   string   `json:"state" jsonschema:"such as running, queued, finished or interrupted"`
	Done    int      `json:"done" jsonschema:"games that are over"`
	Total   int      `json:"total" jsonschema:"games in all, 0 if it has no end"`
	Playing int      `json:"playing" jsonschema:"games in progress"`
}

func listEvents(ctx context.Context, c call, in ListEventsIn) (ListEventsOut, error) {
	query := url.Values{"offset": {fmt.Sprint(max(0, in.Offset))}}
	for key, value := range map[string]string{"bot": in.Bot, "state": in.State} {
		if value != "" {
			query.Set(key, value)
		}
	}
	out, err := read[ListEventsOut](ctx, c, "/api/events/recorded?"+query.Encode())
	return out, err
}

// ListBotsOut lists the bots that can be met.
type ListBotsOut struct {
	Connected []Bot  `json:"connected" jsonschema:"bots that are connected"`
	Kinds     []Kind `json:"kinds" jsonschema:"bots that the arena can play, for challenge and opinion"`
}

// Bot is a bot that is connected, or away from its event.
type Bot struct {
	Name    string  `json:"name" jsonschema:"its name"`
	Version string  `json:"version,omitempty" jsonschema:"its version"`
	Author  string  `json:"author,omitempty" jsonschema:"its author"`
	Spec    string  `json:"spec,omitempty" jsonschema:"the kind of player that it says it is"`
	Events  []int64 `json:"events,omitempty" jsonschema:"the numbers of the events that it plays in"`
	Playing int     `json:"playing,omitempty" jsonschema:"its games in progress"`
	Away    bool    `json:"away,omitempty" jsonschema:"true while it is disconnected from its event"`
}

// Kind is a kind of bots of the arena.
type Kind struct {
	Name    string   `json:"name" jsonschema:"its name; with options NAME:OPTION=VALUE,..."`
	Summary string   `json:"summary" jsonschema:"how it plays"`
	Options []string `json:"options" jsonschema:"its options with their defaults, OPTION=VALUE"`
}

func listBots(ctx context.Context, c call, _ struct{}) (out ListBotsOut, err error) {
	if out.Connected, err = bots(ctx, c); err != nil {
		return out, err
	}
	kinds, err := read[[]struct {
		Name, Summary string
		Options       []struct{ Name, Default string }
	}](ctx, c, "/api/kinds")
	out.Kinds = []Kind{}
	for _, k := range kinds {
		kind := Kind{k.Name, k.Summary, []string{}}
		for _, o := range k.Options {
			kind.Options = append(kind.Options, o.Name+"="+o.Default)
		}
		out.Kinds = append(out.Kinds, kind)
	}
	return out, err
}

// bots returns the connected bots and the bots that are away from their event.
func bots(ctx context.Context, c call) ([]Bot, error) {
	all, err := asked(ctx, c, c.config.Arena.Bots)
	list := []Bot{}
	for _, b := range all {
		list = append(list, botOf(b))
	}
	return list, err
}

func botOf(b server.BotInfo) Bot {
	return Bot{b.Name, b.Version, b.Author, b.Spec, b.Events, b.Playing, b.Away}
}

// EventIn names an event.
type EventIn struct {
	Event int64 `json:"event" jsonschema:"the event's number"`
}

// StandingsOut is the places of an event.
type StandingsOut struct {
	Format string  `json:"format" jsonschema:"the event's format"`
	Places []Place `json:"places" jsonschema:"the best first"`
}

// Place is the place of a bot.
type Place struct {
	Place  int                `json:"place" jsonschema:"from 1; equal bots share it"`
	Name   string             `json:"name" jsonschema:"the bot"`
	Played int                `json:"played" jsonschema:"matches that it has played"`
	Values map[string]float64 `json:"values" jsonschema:"the figures behind the place, such as points and margin"`
}

func standings(ctx context.Context, c call, in EventIn) (out StandingsOut, err error) {
	all, err := asked(ctx, c, func(ctx context.Context) (tournament.Standings, error) {
		return c.config.Arena.Standings(ctx, in.Event)
	})
	out = StandingsOut{all.Format, []Place{}}
	for _, p := range all.Places {
		place := Place{p.Place, p.Name, p.Played, map[string]float64{}}
		for i, column := range all.Columns {
			if i < len(p.Values) {
				place.Values[column] = p.Values[i]
			}
		}
		out.Places = append(out.Places, place)
	}
	return out, err
}

// PairIn names two bots.
type PairIn struct {
	First  string `json:"first" jsonschema:"the name of a bot"`
	Second string `json:"second" jsonschema:"the name of another bot"`
}

// PairOut is the history of two bots, from the first one's side.
type PairOut struct {
	Total    int       `json:"total" jsonschema:"their matches in all"`
	Variants []Variant `json:"variants" jsonschema:"by rules and board size"`
	Matches  []Meeting `json:"matches" jsonschema:"the latest first, at most 50"`
}

// Variant is the history of two bots under the same rules.
type Variant struct {
	Rules   string  `json:"rules" jsonschema:"gpcc2015, gpcc2016 or solo"`
	Size    string  `json:"size" jsonschema:"columns x rows"`
	Matches Tally   `json:"matches" jsonschema:"from the first bot's side"`
	Verdict string  `json:"verdict" jsonschema:"the stronger bot, in words"`
	Mean    float64 `json:"mean_difference" jsonschema:"the mean of the first bot's score minus the second one's"`
}

// Tally counts matches.
type Tally struct {
	Won   int `json:"won" jsonschema:"matches won"`
	Drawn int `json:"drawn" jsonschema:"matches drawn"`
	Lost  int `json:"lost" jsonschema:"matches lost"`
}

// Meeting is a match of two bots.
type Meeting struct {
	Event  int64   `json:"event" jsonschema:"its event"`
	Match  int     `json:"match" jsonschema:"its number in the event"`
	Scores []int   `json:"scores" jsonschema:"of the first and of the second bot as defender"`
	By     string  `json:"by" jsonschema:"the reason of its outcome, such as score"`
	Games  []int64 `json:"games" jsonschema:"the numbers of its games, for replay"`
}

func headToHead(ctx context.Context, c call, in PairIn) (PairOut, error) {
	return read[PairOut](ctx, c, fmt.Sprintf("/api/bots/%s/vs/%s", url.PathEscape(in.First), url.PathEscape(in.Second)))
}
