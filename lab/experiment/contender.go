package experiment

import (
	"fmt"
	"slices"
	"strings"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/recipe"
)

// Contender is a bot in a measurement of strength at a given time a move.
type Contender struct {
	Name string // in events and reports
	Spec string // a time in it replaces the measurement's; "" for a program, since its command sets the time
}

// Again returns the contender under another name, so that an event can have it play against itself.
func (c Contender) Again() Contender { return Contender{c.Name + " again", c.Spec} }

// bestSettings maps a kind to options that make it stronger than its defaults, which are the settings of a paper.
var bestSettings = map[string]string{"evminimax": "mate=10000000"}

// Contenders returns a bot of every kind in the registry that needs no file and plays on boards of every
// size, named like its kind.
func Contenders() []Contender {
	var all []Contender
	for _, k := range players.Kinds() {
		if !playsEverySize(k) {
			continue
		}
		spec := k.Name
		if best := bestSettings[k.Name]; best != "" {
			spec = withOption(spec, best)
		}
		all = append(all, Contender{k.Name, spec})
	}
	return all
}

// playsEverySize reports whether a bot of the kind needs no file and plays on boards of every size.
func playsEverySize(k players.Kind) bool {
	spec, err := players.Parse(k.Name)
	return err == nil && !slices.ContainsFunc(rules.Sizes(), func(s rules.Size) bool { return spec.Plays(rules.GPCC2015, s) != nil })
}

// ParseContender reads the name of one of the Contenders, a spec, or NAME=SPEC. A spec may leave out the time,
// or set a time for this bot alone. The error says which part of the spec is wrong.
func ParseContender(text string) (Contender, error) {
	for _, c := range Contenders() {
		if c.Name == text {
			return c, nil
		}
	}
	c := Contender{text, text}
	if name, spec, named := strings.Cut(text, "="); named && !strings.Contains(name, ":") {
		c = Contender{name, spec}
	}
	_, err := players.ParseClosed(c.Spec)
	return c, err
}

// withTime returns the spec of the contender with the given time a move. The spec stays as it is if it sets a time, or
// is that of a program or of a bot without this option.
func (c Contender) withTime(milliseconds int) string {
	name, options, _ := strings.Cut(c.Spec, ":")
	set := slices.ContainsFunc(strings.Split(options, ","), func(o string) bool { return strings.HasPrefix(o, "time=") })
	kinds := players.Kinds()
	i := slices.IndexFunc(kinds, func(k players.Kind) bool { return k.Name == name })
	if i < 0 || set || !timed(kinds[i]) {
		return c.Spec
	}
	return withOption(c.Spec, fmt.Sprintf("time=%d", milliseconds))
}

// withOption returns the spec with one more option.
func withOption(spec, option string) string {
	if strings.Contains(spec, ":") {
		return spec + "," + option
	}
	return spec + ":" + option
}

func timed(k players.Kind) bool {
	return slices.ContainsFunc(k.Options, func(o players.Option) bool { return o.Name == "time" })
}

// The largest number of openings of a timed event, and the number of plies of an opening. A pair of matches plays each
// opening. With 8 plies there would be only 20 openings on the full board under gpcc2015.
const (
	timedOpenings     = 100
	timedOpeningPlies = 11
)

// timedEvent returns an event of contenders at equal time per move from drawn openings. Unless Config.Complete is set,
// a match's second game ends once its score exceeds the first game's.
func (s Config) timedEvent(name string, contenders ...Contender) (tournament.Event, error) {
	if s.Time < 1 {
		return tournament.Event{}, fmt.Errorf("%d milliseconds a move: want at least 1", s.Time)
	}
	return s.openedEvent(name, contenders...)
}

// openedEvent is timedEvent for bots with search limits in their specs: Config.Time may be 0.
func (s Config) openedEvent(name string, contenders ...Contender) (tournament.Event, error) {
	if s.Rules.Chance() {
		return tournament.Event{}, fmt.Errorf("under %v rules chance attacks: want rules for two players", s.Rules)
	}
	var entries []tournament.Entry
	for _, c := range contenders {
		if s.Time > 0 {
			c.Spec = c.withTime(s.Time)
		}
		entries = append(entries, tournament.Entry{Name: c.Name, Spec: c.Spec})
	}
	e, err := s.event(name, entries...)
	if err != nil {
		return e, err
	}
	source := fmt.Sprintf("random:plies=%d,seed=%d,count=%d", timedOpeningPlies, s.Seed, timedOpenings)
	starts, err := recipe.LoadOpenings(source, recipe.Variant{Rules: s.Rules, Size: s.Size})
	if err != nil {
		return e, err
	}
	e.Search = s.Search
	e.Settings.Openings = tournament.NewOpenings(source, starts)
	e.Settings.Adjudication.EarlyDecision = !s.Complete
	return e, format.Validate(e)
}

// conditionsName returns the common part of the names of timed events, such as "gpcc2015 10 ms".
func (s Config) conditionsName() string {
	name := fmt.Sprintf("%v %d ms", s.Rules, s.Time)
	if s.Size != rules.Full {
		name += " " + s.Size.String()
	}
	if s.Complete {
		name += " complete"
	}
	return name
}
