package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/drawing"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/report"
	"versus2048/tournament/standing"
)

// bots are the pages of bots.
type bots struct {
	pages   *pages
	arena   *server.Server
	store   *results.Store
	archive *archive.Archive
}

// botPage has the facts about a bot, most of them from its latest events.
type botPage struct {
	Name        string                `json:"name"`
	Connected   *server.BotInfo       `json:"connected,omitempty"` // nil if it is not
	Identities  []tournament.Identity `json:"identities"`          // its descriptions of itself, the latest last
	Events      []botEvent            `json:"events"`              // the latest first
	Matches     tournament.Tally      `json:"matches"`             // of all these events
	Best        *bestGame             `json:"best,omitempty"`      // nil before its first game as defender
	Last        []tournament.Outcome  `json:"last"`                // of its last matches, the latest first; "first" if it won, "second" if it lost
	Opponents   []opponent            `json:"opponents"`           // the most frequent ones first
	Others      int                   `json:"opponents_left_out"`  // number of further opponents, met less often
	Tiles       []archive.TileCount   `json:"largest_tiles"`       // as defender, in all these events
	Games       []results.Listed      `json:"games"`               // its last ones, the latest first
	Faults      []results.Listed      `json:"faults"`              // the latest first
	FaultsTotal int                   `json:"faults_total"`
	Left        int                   `json:"events_left_out"` // number of earlier events
	Computing   bool                  `json:"computing"`       // statistics of some events are still missing
	MostTile    int                   `json:"-"`               // the largest of the numbers of games in Tiles

	met map[string]int // index of an opponent in Opponents, by name
}

// botEvent is the result of a bot in an event.
type botEvent struct {
	archive.Line
	Rated     *report.Rated `json:"rating,omitempty"`
	Place     int           `json:"place,omitempty"`
	Spec      string        `json:"spec,omitempty"`
	Attacking *report.Role  `json:"attacking,omitempty"`
	Defending *report.Role  `json:"defending,omitempty"`
	Text      string        `json:"-"` // of its rating
}

// bestGame is the game in which a bot made most points as defender.
type bestGame struct {
	Event int64  `json:"event"`
	Name  string `json:"-"` // of the event
	Rules string `json:"rules"`
	Size  string `json:"size"`
	Score int    `json:"score"`
}

// opponent is another bot with the results against it in the events of the page.
type opponent struct {
	Name   string           `json:"name"`
	Tally  tournament.Tally `json:"matches"` // from the side of the page's bot
	Points string           `json:"-"`
}

// mostBotEvents is the largest number of events on the page of a bot.
const mostBotEvents = 30

// mostBotOpponents is the largest number of opponents on the page: an event may have thousands of bots.
const mostBotOpponents = 500

// mostBotMatches is the largest number of matches on the page.
const mostBotMatches = 10

// mostBotGames is the largest number of games on the page.
const mostBotGames = 20

// mostBotFaults is the largest number of faults on the page.
const mostBotFaults = 20

func (p *botPage) view() view { return view{Title: p.Name, refresh: p.Computing, Body: p} }

func newBotPage(name string) *botPage {
	return &botPage{Name: name, Events: []botEvent{}, Last: []tournament.Outcome{}, Opponents: []opponent{}, Tiles: []archive.TileCount{}, met: map[string]int{}}
}

func (b *bots) page(r *http.Request) (*botPage, error) {
	ctx, name := r.Context(), r.PathValue("bot")
	page := newBotPage(name)
	for _, known := range b.arena.Bots() {
		if known.Name == name {
			page.Connected = &known
		}
	}
	var err error
	if page.Identities, err = b.store.IdentitiesOf(ctx, name); err != nil {
		return nil, err
	}
	page.Identities = append([]tournament.Identity{}, page.Identities...)
	ids, err := b.store.EventsOf(ctx, name)
	if err != nil {
		return nil, err
	}
	if page.Connected == nil && len(page.Identities) == 0 && len(ids) == 0 {
		return nil, notFound("There is no such bot", "No bot of that name is connected or has played here.")
	}
	page.Left = max(0, len(ids)-mostBotEvents)
	for _, id := range slices.Backward(ids[page.Left:]) {
		if err := b.addEvent(ctx, page, id); err != nil {
			return nil, err
		}
	}
	page.finish()
	return page, b.addGames(ctx, page, ids[page.Left:])
}

// addEvent adds the result of a bot in an event.
func (b *bots) addEvent(ctx context.Context, page *botPage, id int64) error {
	x, err := b.archive.Event(ctx, id, b.patience(page))
	if err != nil {
		return err
	}
	in := botEvent{Line: x.Line}
	for _, entry := range x.Event.Entries {
		if entry.Name == page.Name {
			in.Spec = entry.Spec
		}
	}
	if x.Statistics == nil {
		page.Computing = true
	} else {
		in.take(x.Statistics, page.Name)
		page.take(x.Statistics)
		page.remember(&x.Line, x.Statistics.Careers[page.Name])
	}
	page.Events = append(page.Events, in)
	return nil
}

// patience returns the longest wait for the figures of one more event. It is 0 if the page lacks other figures already.
func (b *bots) patience(p *botPage) time.Duration {
	if p.Computing {
		return 0
	}
	return b.archive.Patience
}

func (in *botEvent) take(stats *archive.Statistics, bot string) {
	if in.Rated = stats.Rated(bot); in.Rated != nil {
		in.Text = drawing.EloText(in.Rated.Elo)
	}
	for _, p := range stats.Standings.Places {
		if p.Name == bot && stats.Standings.Begun() {
			in.Place = p.Place
		}
	}
	for i := range stats.Roles {
		switch role := &stats.Roles[i]; {
		case role.Name != bot:
		case role.Side == "attacker":
			in.Attacking = role
		default:
			in.Defending = role
		}
	}
}

// take adds the opponents and the tiles of an event.
func (p *botPage) take(stats *archive.Statistics) {
	for name, made := range stats.Opponents(p.Name) {
		p.against(name, made)
	}
	for _, t := range stats.TilesOf(p.Name) {
		i := slices.IndexFunc(p.Tiles, func(known archive.TileCount) bool { return known.Tile == t.Tile })
		if i < 0 {
			p.Tiles = append(p.Tiles, t)
		} else {
			p.Tiles[i].Games += t.Games
		}
	}
}

// remember adds the bot's last matches and its best game in an event. Events are added from the latest to the oldest.
func (p *botPage) remember(in *archive.Line, c *archive.Career) {
	if c == nil {
		return
	}
	if c.Best > 0 && (p.Best == nil || c.Best > p.Best.Score) {
		p.Best = &bestGame{in.Event, in.Name, in.Rules, in.Size, c.Best}
	}
	for _, outcome := range slices.Backward(c.Last) {
		if len(p.Last) < mostBotMatches {
			p.Last = append(p.Last, outcome)
		}
	}
}

func (p *botPage) against(name string, t tournament.Tally) {
	i, known := p.met[name]
	if !known {
		i = len(p.Opponents)
		p.met[name], p.Opponents = i, append(p.Opponents, opponent{Name: name})
	}
	p.Opponents[i].Tally, p.Matches = p.Opponents[i].Tally.Plus(t), p.Matches.Plus(t)
}

// finish sorts the lists of the page, and cuts the list of opponents to its limit.
func (p *botPage) finish() {
	slices.SortFunc(p.Tiles, func(a, b archive.TileCount) int { return cmp.Compare(b.Tile, a.Tile) })
	for _, t := range p.Tiles {
		p.MostTile = max(p.MostTile, t.Games)
	}
	slices.SortStableFunc(p.Opponents, func(a, b opponent) int { return cmp.Compare(b.Tally.Played(), a.Tally.Played()) })
	p.Others = max(0, len(p.Opponents)-mostBotOpponents)
	p.Opponents = p.Opponents[:len(p.Opponents)-p.Others]
	for i := range p.Opponents {
		p.Opponents[i].Points = drawing.PointsText(p.Opponents[i].Tally.Points())
	}
}

// addGames adds the last games of the bot, and the last games that it lost by a fault of its own.
func (b *bots) addGames(ctx context.Context, page *botPage, events []int64) (err error) {
	last := results.Listing{Bot: page.Name, Finished: true, Order: results.ByStart, Reverse: true, Limit: mostBotGames}
	if page.Games, _, err = b.latest(ctx, page, events, last); err != nil {
		return err
	}
	faults := results.Listing{FaultOf: page.Name, Reverse: true, Limit: mostBotFaults}
	page.Faults, page.FaultsTotal, err = b.latest(ctx, page, events, faults)
	return err
}

// latest returns the games of a listing, from the latest event to the earliest, up to the listing's limit. total is the
// number of such games in all these events.
func (b *bots) latest(ctx context.Context, page *botPage, events []int64, l results.Listing) (games []results.Listed, total int, err error) {
	games, most := []results.Listed{}, l.Limit
	for _, id := range slices.Backward(events) {
		line, err := b.archive.Line(ctx, id)
		if err != nil {
			return nil, 0, err
		}
		c, ok, err := b.archive.Catalogs.Soon(ctx, id, line.Played(), b.patience(page))
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			page.Computing = true
			continue
		}
		l.Limit = max(1, most-len(games)) // a limit of 0 would mean no limit
		ids, found := c.Select(l)
		total += found
		more, err := b.store.Listed(ctx, ids[:min(len(ids), most-len(games))])
		if err != nil {
			return nil, 0, err
		}
		games = append(games, more...)
	}
	return games, total, nil
}

// ratings are the pages with standing lists.
type ratings struct {
	pages *pages
	arena *server.Server
	lists *archive.Lists
}

// ratingsPage is the standing list of some conditions.
type ratingsPage struct {
	server.Ratings
	Chosen string `json:"-"` // the conditions of the list
}

func (p *ratingsPage) view() view { return view{Title: "Ratings", Section: "ratings", Body: p} }

// page returns the list of the conditions that a request names, or else of the conditions with the most matches.
func (l *ratings) page(r *http.Request) (*ratingsPage, error) {
	turn, err := l.arena.Read(r) // the collector may read all games
	if err != nil {
		return nil, err
	}
	defer turn.End()
	collected, err := l.lists.Collector(r.Context())
	if err != nil {
		return nil, err
	}
	page := &ratingsPage{server.Ratings{All: collected.Summaries()}, r.FormValue("conditions")}
	if page.Chosen == "" {
		if len(page.All) == 0 {
			return page, nil
		}
		page.Chosen = page.All[0].Conditions
	}
	if !slices.ContainsFunc(page.All, func(list standing.Summary) bool { return list.Conditions == page.Chosen }) {
		return nil, notFound("There are no such ratings", fmt.Sprintf("no match has been played under the conditions %.80q; arena rating --conditions lists the conditions", page.Chosen))
	}
	list, err := l.lists.List(r.Context(), page.Chosen, standing.Defaults())
	if err != nil {
		return nil, err
	}
	page.List = &list
	return page, nil
}
