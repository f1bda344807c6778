package archive

import (
	"context"
	"fmt"
	"strings"

	"versus2048/internal/web/analysis"
	"versus2048/internal/web/drawing"
	"versus2048/internal/web/templates"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Scene is one of the best games.
type Scene struct {
	Title   string // such as “The highest score and the longest game”
	Caption string
	Game    int64
	Final   rules.Position
	From    int // the first ply of the animation

	film []byte // the animation; nil without an artist or moves, or if there is no room for it
}

// The limits of films. A film shows the last plies of a game. A page takes at most 3 MB with its films.
const (
	filmPlies = 100
	filmWidth = 360
	mostFilms = 2_000_000 // bytes of all films of a report; in a page they are a third longer
)

// chooser finds the best games of an event, one result at a time.
type chooser struct {
	event   *tournament.Event
	ratings map[string]float64
	book    tournament.Scorebook
	half    map[int]tournament.Result // the only finished game of each match, by the match's number
	best    *tournament.Result        // the game with the highest score
	longest *tournament.Result        // the game with the most turns
	closest *played                   // the match with the smallest margin
	upset   *played                   // the match with the winner rated furthest below the loser
}

// played is a match that was decided by its scores.
type played struct {
	winner, loser string
	scores        [2]int // of the winner and the loser
	game          int64  // the number of the game with the winner as the defender
	match         int
	below         float64 // the rating of the loser minus the rating of the winner, in Elo; 0 if one rating is not known
}

func (p *played) margin() int { return p.scores[0] - p.scores[1] }

func newChooser(e *tournament.Event, ratings *report.Ratings) *chooser {
	c := &chooser{event: e, ratings: map[string]float64{}, half: map[int]tournament.Result{}}
	if len(ratings.Groups) != 1 {
		return c // ratings of different groups cannot be compared
	}
	for _, bot := range ratings.Groups[0].Bots {
		if !bot.Elo.Value.Absent() {
			c.ratings[bot.Name] = bot.Elo.Value.Value
		}
	}
	return c
}

func (c *chooser) add(r tournament.Result) {
	if r.Scored() && (c.best == nil || r.Score > c.best.Score) {
		c.best = &r
	}
	if c.longest == nil || r.Turns > c.longest.Turns {
		c.longest = &r
	}
	other, known := c.half[r.Match]
	m, decided := c.book.Add(r)
	if !decided || !known {
		c.half[r.Match] = r
		return
	}
	delete(c.half, r.Match)
	if m = c.event.Settings.Adjudication.Judge(m); m.By != tournament.ByScore || m.Outcome == tournament.Drawn || !m.Scored() {
		return
	}
	c.compare(c.decided(&m, r, other))
}

// decided returns a match that has a winner. games are the two games of the match.
func (c *chooser) decided(m *tournament.MatchResult, games ...tournament.Result) played {
	p := played{winner: m.First, loser: m.Second, match: m.Match}
	if m.Outcome == tournament.SecondWins {
		p.winner, p.loser = m.Second, m.First
	}
	p.scores = [2]int{m.Defence(p.winner).Score, m.Defence(p.loser).Score}
	for _, g := range games {
		if _, defender := g.Roles(g.Leg); defender == p.winner {
			p.game = g.Game
		}
	}
	winner, rated := c.ratings[p.winner]
	if loser, both := c.ratings[p.loser]; rated && both {
		p.below = loser - winner
	}
	return p
}

func (c *chooser) compare(p played) {
	if c.closest == nil || p.margin() < c.closest.margin() {
		c.closest = &p
	}
	if p.below >= 1 && (c.upset == nil || p.below > c.upset.below || p.below == c.upset.below && p.margin() > c.upset.margin()) {
		c.upset = &p
	}
}

// scenes returns the best games. It lists a game once, even if the game is the best in several ways.
func (c *chooser) scenes() (all []Scene) {
	add := func(game int64, title, caption string) {
		for i := range all {
			if all[i].Game == game {
				all[i].Title = strings.Replace(all[i].Title, " and ", ", ", 1) + " and " + strings.ToLower(title[:1]) + title[1:]
				all[i].Caption += " " + caption
				return
			}
		}
		all = append(all, Scene{Game: game, Title: title, Caption: caption})
	}
	if g := c.best; g != nil && g.Score > 0 {
		attacker, defender := g.Roles(g.Leg)
		add(g.Game, "The highest score", fmt.Sprintf("%s made %s against %s; the largest tile was %d.", called(defender), templates.Count(g.Score, "point"), called(attacker), g.LargestTile))
	}
	if p := c.closest; p != nil {
		add(p.game, "The closest match", fmt.Sprintf("%s beat %s by %s in match %d, %s to %s.", called(p.winner), called(p.loser),
			templates.Count(p.margin(), "point"), p.match, templates.Number(p.scores[0]), templates.Number(p.scores[1])))
	}
	if p := c.upset; p != nil {
		add(p.game, "The greatest upset", fmt.Sprintf("%s won match %d, %s to %s, against %s, whose rating is %s Elo higher.", called(p.winner), p.match,
			templates.Number(p.scores[0]), templates.Number(p.scores[1]), called(p.loser), templates.Number(fmt.Sprintf("%.0f", p.below))))
	}
	if g := c.longest; g != nil && g.Turns > 0 {
		attacker, defender := g.Roles(g.Leg)
		add(g.Game, "The longest game", fmt.Sprintf("%s defended against %s for %s.", called(defender), called(attacker), templates.Count(g.Turns, "turn")))
	}
	return all
}

// addScenes chooses the best games, reads them and draws them.
func (r *Report) addScenes(ctx context.Context, store *results.Reader, stats *report.Statistics, artist *drawing.Artist) error {
	choose := newChooser(&r.Event, &stats.Ratings)
	if err := store.Results(ctx, r.Event, func(g tournament.Result) error {
		choose.add(g)
		yield(ctx)
		return ctx.Err()
	}); err != nil {
		return err
	}
	r.Scenes = choose.scenes()
	size := 0
	for i := range r.Scenes {
		s := &r.Scenes[i]
		g, err := store.Game(ctx, s.Game)
		if err == nil {
			err = s.draw(&g.Record, artist)
		}
		if err != nil {
			return fmt.Errorf("the report of event %d: %w", r.Event.ID, err)
		}
		if size+len(s.film) > mostFilms {
			s.film = nil
		}
		size += len(s.film)
		yield(ctx)
	}
	return nil
}

// draw adds the final position of a game and, with an artist, the animation of its last plies.
func (s *Scene) draw(game *record.Record, artist *drawing.Artist) (err error) {
	last := len(game.Moves)
	s.From = max(0, last-filmPlies)
	positions, err := analysis.Between(game, s.From, last)
	if err != nil {
		return err
	}
	s.Final = positions[len(positions)-1]
	if artist != nil && last > 0 {
		s.film, err = artist.GIF(drawing.Film{Attacker: game.Attacker, Defender: game.Defender, Positions: positions, Width: filmWidth})
	}
	return err
}
