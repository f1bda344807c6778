package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"versus2048/internal/text/terminal"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// Strength is the strength of the first of two bots, estimated from their matches: by pairs of
// matches if the pairs have common openings, otherwise by single matches.
type Strength struct {
	Trials int64 `json:"trials"` // the number of pairs, or matches, behind the estimate
	// Repeated counts the pairs, or matches, that are left out because they repeat earlier ones
	// move by move: see [tournament.Repeats].
	Repeated int64 `json:"repeated,omitempty"`
	// Pairs counts the pairs by First's points, 0, 1/2, 1, 3/2, 2; nil without pairs.
	Pairs *rating.Pentanomial `json:"ptnml,omitempty"`
	Elo   Interval            `json:"elo"`
	// Normalized is normalised Elo: see [rating.NormalizedElo].
	Normalized  Interval `json:"nelo"`
	Superiority Figure   `json:"los"`    // the likelihood that First is better, 0 to 1
	Needed      []Needed `json:"needed"` // for some intervals
}

// Needed is the number of further matches for an interval of Elo of a certain width, if the results
// continue as they are.
type Needed struct {
	HalfWidth float64 `json:"half_width"` // of the interval, in Elo
	Matches   Figure  `json:"matches"`
}

// newStrength returns First's strength from the result of its matches against one other bot.
func newStrength(result rating.Result, repeated int64) Strength {
	counts := result.Counts()
	s := Strength{Trials: rating.Trials(counts), Repeated: repeated}
	if result.Pairs != (rating.Pentanomial{}) {
		s.Pairs = &result.Pairs
	}
	s.Elo, s.Normalized = intervalOf(rating.Elo(counts)), intervalOf(rating.NormalizedElo(counts))
	s.Superiority = figureOf(rating.Superiority(counts))
	for _, halfWidth := range []float64{50, 20, 10} {
		s.Needed = append(s.Needed, Needed{halfWidth, figureOf(rating.Needed(counts, halfWidth))})
	}
	s.explain()
	return s
}

// UnmarshalJSON reads a strength and sets the reasons why figures are absent, which JSON leaves
// out. A strength received from an arena thus looks the same as on the arena's page.
func (s *Strength) UnmarshalJSON(text []byte) error {
	type fields Strength
	if err := json.Unmarshal(text, (*fields)(s)); err != nil {
		return err
	}
	s.explain()
	return nil
}

func (s *Strength) explain() {
	elo := unlimited
	if s.Trials == 0 {
		elo = "needs 1 match"
	}
	s.Elo.explain(elo)
	s.Normalized.explain(needsDifferent)
	s.Superiority.explain(needsDifferent)
	for i := range s.Needed {
		s.Needed[i].Matches.explain(needsDifferent)
	}
}

// needsDifferent is the Needs of a figure that is unknown as long as all matches end alike.
const needsDifferent = "needs matches that end differently"

func figureOf(x float64, ok bool) Figure {
	if !ok {
		return Figure{Needs: needsDifferent}
	}
	return Figure{Value: x}
}

// write writes the lines that engine testers know, from the named bot's side.
func (s Strength) write(text *strings.Builder, first string) {
	fmt.Fprintf(text, "  of %s, by %s: Elo %s, nElo %s, LOS %s\n",
		first, s.basis(), s.Elo.text(2), s.Normalized.text(2), s.Superiority.Percent())
	if s.Pairs != nil {
		fmt.Fprintf(text, "  Ptnml(0-2) of %s: %v\n", first, *s.Pairs)
	}
	if s.Repeated > 0 {
		fmt.Fprintf(text, "  %s\n", s.repeatedText())
	}
	var needed []string
	for _, n := range s.Needed {
		if !n.Matches.Absent() {
			needed = append(needed, fmt.Sprintf("+/- %.0f: %s", n.HalfWidth, n.Matches.Text(0)))
		}
	}
	if needed != nil {
		fmt.Fprintf(text, "  matches still needed for an Elo %s\n", strings.Join(needed, ", "))
	}
}

// repeatedText names the trials that the figures leave out.
func (s Strength) repeatedText() string {
	verb := "repeat earlier ones"
	if s.Repeated == 1 {
		verb = "repeats an earlier one"
	}
	return fmt.Sprintf("left out of Elo, LOS and intervals: %s, which %s move by move", s.count(s.Repeated), verb)
}

// basis names the trials behind the figures, such as "12 pairs of matches".
func (s Strength) basis() string { return s.count(s.Trials) }

// count returns a number of trials, such as "1 match" or "12 pairs of matches".
func (s Strength) count(trials int64) string {
	if s.Pairs != nil {
		return terminal.Count(trials, "pair of matches", "pairs of matches")
	}
	return terminal.Count(trials, "match", "matches")
}

// Trials counts matches and pairs of matches of two bots from one bot's side. It leaves out single matches that repeat
// earlier ones, and pairs of two such matches. Two consecutive matches are a pair if they start from one opening and
// swap First and Second. If there are pairs, the pairs are the trials; otherwise the matches are.
type Trials struct {
	name                           string
	seen                           tournament.Repeats
	open                           *tournament.MatchResult // it may become the first match of a pair
	tally                          tournament.Tally
	pairs                          rating.Pentanomial
	repeatedMatches, repeatedPairs int64
}

// NewTrials returns a count without a match, from the named bot's side.
func NewTrials(name string) *Trials { return &Trials{name: name} }

// Add adds a match. Matches must be added in the order of their numbers.
func (t *Trials) Add(m tournament.MatchResult) {
	switch {
	case t.open == nil:
		t.open = &m
	case arePair(t.open, &m):
		t.addPair(*t.open, m)
		t.open = nil
	default:
		t.addMatch(*t.open)
		t.open = &m
	}
}

// Close ends an event: its last match does not form a pair with the first match of the next event.
func (t *Trials) Close() {
	if t.open != nil {
		t.addMatch(*t.open)
		t.open = nil
	}
}

// Result returns the sums of the added matches, and the number of trials that it leaves out.
func (t *Trials) Result() (result rating.Result, repeated int64) {
	tally, repeated := t.tally, t.repeatedMatches
	switch {
	case t.open == nil:
	case t.seen.Seen(*t.open):
		repeated++
	default:
		tally.Add(*t.open, t.name)
	}
	result = rating.Result{
		Matches: rating.Trinomial{Loss: int64(tally.Lost), Draw: int64(tally.Drawn), Win: int64(tally.Won)},
		Pairs:   t.pairs,
	}
	if t.pairs != (rating.Pentanomial{}) {
		repeated = t.repeatedPairs
	}
	return result, repeated
}

// Repeated returns the number of matches in the trials that Result leaves out.
func (t *Trials) Repeated() int {
	if result, repeated := t.Result(); result.Pairs == (rating.Pentanomial{}) {
		return int(repeated)
	}
	return int(2 * t.repeatedPairs)
}

func (t *Trials) addMatch(m tournament.MatchResult) {
	if t.seen.Add(m) {
		t.repeatedMatches++
		return
	}
	t.tally.Add(m, t.name)
}

// addPair adds a pair. The pair is new if one of its matches is. The second match may repeat the first, since
// each bot plays both roles in a match. Both count then; the design effect allows for their dependence.
func (t *Trials) addPair(m, other tournament.MatchResult) {
	seen, otherSeen := t.seen.Seen(m), t.seen.Seen(other)
	if seen && otherSeen {
		t.repeatedPairs++
		t.repeatedMatches += 2
		return
	}
	t.seen.Add(m)
	t.seen.Add(other)
	var both tournament.Tally
	both.Add(m, t.name)
	both.Add(other, t.name)
	t.pairs[2*both.Won+both.Drawn]++
	t.tally = t.tally.Plus(both)
}

func arePair(m, other *tournament.MatchResult) bool {
	opened := m.Start != rules.NewPosition(m.Start.Rules(), m.Start.Size())
	return opened && m.Start == other.Start && m.First == other.Second
}
