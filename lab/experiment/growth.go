package experiment

import (
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Growth collects the searches of games that were recorded with search reports, and makes a [TreeReport]
// of them. Its zero value is empty.
type Growth struct {
	games   int
	players map[player]*playerSearches
}

// player is a bot in a role.
type player struct {
	bot  string
	role rules.Side
}

// Add adds the searches of a finished game.
func (g *Growth) Add(game tournament.Game) {
	if g.players == nil {
		g.players = map[player]*playerSearches{}
	}
	g.games++
	r := &game.Record
	for _, p := range []player{{r.Attacker, rules.Attacker}, {r.Defender, rules.Defender}} {
		if g.players[p] == nil {
			g.players[p] = &playerSearches{}
		}
		g.players[p].add(r, p.role)
	}
}

// Report returns the report on the added games, which must be the finished games of the event.
func (g *Growth) Report(e tournament.Event) TreeReport {
	t := TreeReport{
		Source:     TreeSource,
		Event:      e.ID,
		Name:       e.Name,
		Conditions: Conditions(e),
		Games:      g.games,
		AllGames:   2 * format.New(e).Total().Matches,
		Layers:     layerNames(),
	}
	for _, role := range []rules.Side{rules.Defender, rules.Attacker} {
		first, second := g.figure(player{e.Entries[0].Name, role}), g.figure(player{e.Entries[1].Name, role})
		t.Figures = append(t.Figures, second, first)
		for i, layer := range t.Layers {
			t.Gaps = append(t.Gaps, TreeGap{role, layer, sum(plus(first.samples[i]), minus(second.samples[i]))})
		}
	}
	return t
}

func (g *Growth) figure(p player) TreeFigure {
	f := TreeFigure{Bot: p.bot, Role: p.role, Bins: []TreeBin{}}
	found := g.players[p]
	if found == nil {
		found = &playerSearches{}
	}
	f.Games, f.Searches = len(found.means[0]), found.searches
	for i, means := range found.means {
		f.samples[i] = newSample(means, "game")
		f.Means[i] = sum(plus(f.samples[i]))
	}
	for i, b := range found.bins {
		if b.games > 0 && b.games >= f.MinGames() {
			f.Bins = append(f.Bins, TreeBin{i*binPlies + 1, (i + 1) * binPlies, b.games, b.searches, b.expanded.dividedBy(b.searches)})
		}
	}
	return f
}

// playerSearches collects the searches of one player.
type playerSearches struct {
	searches int
	means    [layers][]float64 // by layer: the mean per search of each game
	bins     []bin
}

// binPlies is the length of a bin in plies: ten turns. Each side may search once per turn.
const binPlies = 20

// bin sums up one player's searches in a range of consecutive plies, of all games.
type bin struct {
	games, searches int
	expanded        Expanded // the sum over all searches
}

// add adds one side's searches in a game.
func (s *playerSearches) add(r *record.Record, side rules.Side) {
	var all bin
	last := -1
	mover := r.Start.SideToMove()
	for i, search := range r.Searches {
		if mover == side && search != nil {
			e := newExpanded(search)
			all.add(e)
			at := (r.Start.Ply() + i) / binPlies
			for len(s.bins) <= at {
				s.bins = append(s.bins, bin{})
			}
			s.bins[at].add(e)
			if at != last {
				s.bins[at].games++
				last = at
			}
		}
		mover = mover.Other()
	}
	if all.searches == 0 {
		return
	}
	s.searches += all.searches
	for layer, mean := range all.expanded.dividedBy(all.searches) {
		s.means[layer] = append(s.means[layer], mean)
	}
}

func (b *bin) add(e Expanded) {
	b.searches++
	b.expanded = b.expanded.plus(e)
}
