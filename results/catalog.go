package results

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"versus2048/rules/record"
)

// Catalog holds the values for listing an event's games, as they were at one moment. It is kept in
// memory, at about 50 bytes a game, so that a page of a list in any order does not read and sort the
// whole event again. Its methods may be called from several goroutines.
type Catalog struct {
	games []cataloged
	names []string // of bots, in order
	ends  []string // endings, in order; "" stands for games in progress

	mu     sync.Mutex
	orders map[Order][]int32 // indices of all games
}

// cataloged is a game in a catalog. Its bots are indices of the catalog's names, and its ending is an index of the
// catalog's ends.
type cataloged struct {
	id                    int64
	match                 int32
	plies, score, largest int32 // -1 while the game is in progress, since SQL sorts NULL before 0
	attacker, defender    int32
	fault                 int32 // the bot at fault, or noBot
	ending                int32
	leg                   int8
}

// noBot stands for the absence of a bot.
const noBot = -1

// Catalog reads the catalog of an event.
func (s *Reader) Catalog(ctx context.Context, event int64) (*Catalog, error) {
	c := &Catalog{orders: map[Order][]int32{}}
	names, ends := index{}, index{}
	err := s.view(ctx, func(tx *sql.Tx) error {
		return queryEach(ctx, tx, func(row *sql.Rows) error {
			var g cataloged
			var attacker, defender, start, ending sql.RawBytes
			err := row.Scan(&g.id, &g.match, &g.leg, &attacker, &defender, &start, &ending, &g.plies, &g.score, &g.largest)
			g.attacker, g.defender, g.ending = names.of(attacker), names.of(defender), ends.of(ending)
			if g.fault = noBot; record.Ending(ending).Fault() {
				g.fault = g.attacker
				if defenderMoves(string(start), int(g.plies)) {
					g.fault = g.defender
				}
			}
			c.games = append(c.games, g)
			return err
		}, `SELECT games.id, number, leg, attacker, defender, start, coalesce(ending, ''), coalesce(plies, -1), coalesce(score, -1),
			coalesce(largest_tile, -1)`+gamesOfMatches+` WHERE event = ?`, event)
	})
	if err != nil {
		return nil, fmt.Errorf("listing the games of event %d: %w", event, err)
	}
	c.rank(names, ends)
	return c, nil
}

// index numbers texts in the order of their first appearance.
type index map[string]int32

func (x index) of(text []byte) int32 {
	i, known := x[string(text)]
	if !known {
		i = int32(len(x))
		x[string(text)] = i
	}
	return i
}

// sorted returns the texts in alphabetical order. The text with number n is at places[n] of this order.
func (x index) sorted() (texts []string, places []int32) {
	texts = slices.Sorted(maps.Keys(x))
	places = make([]int32, len(texts))
	for place, text := range texts {
		places[x[text]] = int32(place)
	}
	return texts, places
}

// rank replaces the numbers of bots and endings by their places in alphabetical order.
func (c *Catalog) rank(names, ends index) {
	var bots, endings []int32
	c.names, bots = names.sorted()
	c.ends, endings = ends.sorted()
	for i := range c.games {
		g := &c.games[i]
		g.attacker, g.defender, g.ending = bots[g.attacker], bots[g.defender], endings[g.ending]
		if g.fault != noBot {
			g.fault = bots[g.fault]
		}
	}
}

// endOf returns an ending as Catalog.ends has it.
func endOf(e record.Ending) string {
	if e == record.Unfinished {
		return ""
	}
	return string(e)
}

// Games returns the number of games in the catalog.
func (c *Catalog) Games() int { return len(c.games) }

// Select returns the numbers of the games on one page of a listing, and the number of games on all its pages
// together. It ignores the listing's Event, Voided, Before and Known: the catalog has the games of one event that count.
func (c *Catalog) Select(l Listing) (ids []int64, total int) {
	order, chosen := c.order(l.Order), c.chooser(&l)
	for i := range order {
		g := &c.games[order[i]]
		if l.Reverse {
			g = &c.games[order[len(order)-1-i]]
		}
		if !chosen(g) {
			continue
		}
		if total >= l.Offset && (l.Limit == 0 || len(ids) < l.Limit) {
			ids = append(ids, g.id)
		}
		total++
	}
	return ids, total
}

// order returns the indices of all games in an order. It sorts them the first time.
func (c *Catalog) order(o Order) []int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.orders[o]; known != nil {
		return known
	}
	order := make([]int32, len(c.games))
	for i := range order {
		order[i] = int32(i)
	}
	compare := comparer(o)
	slices.SortFunc(order, func(i, j int32) int { return compare(&c.games[i], &c.games[j]) })
	c.orders[o] = order
	return order
}

// comparer returns the function that compares two games in an order. SQL sorts by the same columns: see orders. An
// order without a function in the map is ByMatch.
func comparer(o Order) func(a, b *cataloged) int {
	by := map[Order]func(g *cataloged) int32{
		ByStart:   func(*cataloged) int32 { return 0 },
		ByScore:   func(g *cataloged) int32 { return g.score },
		ByPlies:   func(g *cataloged) int32 { return g.plies },
		ByTile:    func(g *cataloged) int32 { return g.largest },
		ByDefence: func(g *cataloged) int32 { return g.defender },
		ByAttack:  func(g *cataloged) int32 { return g.attacker },
		ByEnding:  func(g *cataloged) int32 { return g.ending },
	}[o]
	if by == nil {
		return func(a, b *cataloged) int { return cmp.Or(cmp.Compare(a.match, b.match), cmp.Compare(a.leg, b.leg)) }
	}
	return func(a, b *cataloged) int { return cmp.Or(cmp.Compare(by(a), by(b)), cmp.Compare(a.id, b.id)) }
}

// chooser returns a function that reports whether a listing selects a game.
func (c *Catalog) chooser(l *Listing) func(*cataloged) bool {
	bot, faulty := c.name(l.Bot), c.name(l.FaultOf)
	faults := make([]bool, len(c.ends))
	ends := make([]bool, len(c.ends))
	for i, end := range c.ends {
		faults[i] = record.Ending(end).Fault()
		ends[i] = (l.Ending == "" || end == endOf(l.Ending)) && (!l.Finished || end != "") && (!l.Faults || faults[i])
	}
	return func(g *cataloged) bool {
		return ends[g.ending] && (l.Bot == "" || g.attacker == bot || g.defender == bot) && (l.FaultOf == "" || g.fault == faulty)
	}
}

// name returns the index of a bot. For an unknown bot it returns an index that no game has.
func (c *Catalog) name(bot string) int32 {
	if i, ok := slices.BinarySearch(c.names, bot); ok {
		return int32(i)
	}
	return noBot - 1
}

// Listed returns the games with these numbers, in that order. It leaves out numbers without a game.
func (s *Reader) Listed(ctx context.Context, ids []int64) (games []Listed, err error) {
	wanted, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	err = s.view(ctx, func(tx *sql.Tx) error {
		games, err = query(ctx, tx, readListed, listedColumns+` FROM json_each(?) AS wanted JOIN games ON games.id = wanted.value
			JOIN matches ON matches.id = match ORDER BY wanted.key`, string(wanted))
		return err
	})
	return games, wrap(err, "listing games")
}
