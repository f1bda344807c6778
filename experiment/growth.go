package experiment

import (
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// binPlies is how many plies of the game make a bin: ten turns, in each of
// which both sides may search once.
const binPlies = 20

// Growth gathers the searches of games that were recorded with reports. Its zero
// value has none.
type Growth struct {
	games   int
	figures map[player]*growth
}

// player is a bot in a role.
type player struct {
	bot  string
	role rules.Side
}

// growth are the searches of one player.
type growth struct {
	searches int
	games    [layers][]float64 // each game's mean a search, by layer
	bins     []bin
}

// bin is what was searched in some consecutive plies.
type bin struct {
	games, searches int
	expanded        Expanded // in all searches
}

// Add adds a finished game's searches.
func (g *Growth) Add(game tournament.Game) {
	if g.figures == nil {
		g.figures = map[player]*growth{}
	}
	g.games++
	r := &game.Record
	for _, p := range []player{{r.Attacker, rules.Attacker}, {r.Defender, rules.Defender}} {
		if g.figures[p] == nil {
			g.figures[p] = &growth{}
		}
		g.figures[p].add(r, p.role)
	}
}

// add adds one side's searches in a game.
func (g *growth) add(r *record.Record, side rules.Side) {
	var all bin
	last := -1
	mover := r.Start.SideToMove()
	for i, s := range r.Searches {
		if mover == side && s != nil {
			e := newExpanded(s)
			all.add(e)
			at := (r.Start.Ply() + i) / binPlies
			for len(g.bins) <= at {
				g.bins = append(g.bins, bin{})
			}
			g.bins[at].add(e)
			if at != last {
				g.bins[at].games++
				last = at
			}
		}
		mover = mover.Other()
	}
	if all.searches == 0 {
		return
	}
	g.searches += all.searches
	for layer, mean := range all.expanded.over(all.searches) {
		g.games[layer] = append(g.games[layer], mean)
	}
}

func (b *bin) add(e Expanded) {
	b.searches++
	b.expanded = b.expanded.plus(e)
}

// Tree makes the figures of what was added, the finished games of the event.
func (g *Growth) Tree(e tournament.Event) Tree {
	t := Tree{
		Source:     TreeSource,
		Event:      e.ID,
		Name:       e.Name,
		Conditions: Conditions(e),
		Games:      g.games,
		Of:         2 * format.New(e).Total(nil).Matches,
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
	found := g.figures[p]
	if found == nil {
		found = &growth{}
	}
	f.Games, f.Searches = len(found.games[0]), found.searches
	for i, means := range found.games {
		f.samples[i] = newSample(means, "game")
		f.Means[i] = sum(plus(f.samples[i]))
	}
	for i, b := range found.bins {
		if b.games > 0 && b.games >= f.LeastGames() {
			f.Bins = append(f.Bins, TreeBin{i*binPlies + 1, (i + 1) * binPlies, b.games, b.searches, b.expanded.over(b.searches)})
		}
	}
	return f
}
