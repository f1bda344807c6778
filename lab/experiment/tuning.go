package experiment

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
)

// Tuning changes numeric options of a bot step by step, by simultaneous perturbation stochastic approximation (SPSA;
// Spall 1998, “Implementation of the simultaneous perturbation algorithm for stochastic optimization”). In each
// iteration a random draw moves each option a little up or down. The bot with these changes plays some matches against
// the bot with the opposite changes, and the options move towards the winner. Each event depends on earlier results:
//
//	for {
//		event, ok, err := tuning.Next()
//		if err != nil || !ok {
//			break
//		}
//		... // play the event
//		err = tuning.Add(played)
//	}
type Tuning struct {
	settings TuningConfig
	steps    []TuningStep
	start    []float64 // the options' values at the beginning
	now      []float64 // the options' values, which need not be whole numbers
	sides    []float64 // of the next iteration: 1 for an option that is higher for the first bot, -1 for a lower one
}

// TuningConfig has the parameters of a tuning.
type TuningConfig struct {
	Config
	Spec       string // of the bot, with the values that the tuning begins with
	Options    []TunedOption
	Iterations int // at least 1
	// Gain is the number of steps that an option moves if one bot wins all matches of the first iteration: more than 0, at
	// most 100.
	Gain float64
}

// TunedOption is an option with the range that its value stays in.
type TunedOption struct {
	Name string  `json:"name"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Step is the distance of the two bots of the first iteration from the present value, one above it and one below.
	Step float64 `json:"step"`
}

// TuningStep is an iteration of a tuning.
type TuningStep struct {
	Event  int64            `json:"event"`  // its number
	Up     []string         `json:"up"`     // the first bot's values, in the order of the options
	Down   []string         `json:"down"`   // the second bot's
	Result tournament.Tally `json:"result"` // of the first bot
	Values []float64        `json:"values"` // after the iteration
}

// The names of the two bots of an iteration, and of the last event.
const (
	nameUp    = "up"
	nameDown  = "down"
	nameTuned = "tuned"
	nameStart = "start"
)

// Spall's exponents for the decrease of the gain and of the steps, and the share of the iterations in which the gain
// hardly decreases.
const (
	gainExponent = 0.602
	stepExponent = 0.101
	stability    = 0.1
)

// leastStep is the smallest step of an option. Values are whole numbers: a smaller step could give both bots the same
// value.
const leastStep = 0.5

// ParseTunedOption reads NAME=LOW:HIGH or NAME=LOW:HIGH:STEP, an option of the bot with its range. A missing step is a
// tenth of the range, at least one half.
func ParseTunedOption(spec, text string) (o TunedOption, err error) {
	name, limits, _ := strings.Cut(text, "=")
	numbers := strings.Split(limits, ":")
	if len(numbers) < 2 || len(numbers) > 3 {
		return o, fmt.Errorf("%.80q: want NAME=LOW:HIGH or NAME=LOW:HIGH:STEP, such as depth=1:6", text)
	}
	option, err := numericOption(spec, name)
	if err != nil {
		return o, err
	}
	var low, high uint64
	low, err = strconv.ParseUint(numbers[0], 10, 64)
	if err == nil {
		high, err = strconv.ParseUint(numbers[1], 10, 64)
	}
	if err != nil || low < option.Least || high > option.Most || low >= high {
		return o, fmt.Errorf("%.80q: want a range within %s", text, option.Allowed())
	}
	o = TunedOption{Name: name, Low: float64(low), High: float64(high)}
	o.Step = max(leastStep, (o.High-o.Low)/10)
	if len(numbers) == 3 {
		if o.Step, err = strconv.ParseFloat(numbers[2], 64); err != nil || !(o.Step >= leastStep && o.Step <= o.High-o.Low) {
			return o, fmt.Errorf("%.80q: want a step from %v to %v", text, leastStep, o.High-o.Low)
		}
	}
	return o, nil
}

// numericOption returns a numeric option of a bot, other than seed. Its error lists the names of these options.
func numericOption(spec, name string) (players.Option, error) {
	if _, err := players.ParseClosed(spec); err != nil {
		return players.Option{}, err
	}
	kind, _, _ := strings.Cut(spec, ":")
	kinds := players.Kinds()
	i := slices.IndexFunc(kinds, func(k players.Kind) bool { return k.Name == kind })
	var numeric []string
	for _, o := range kinds[i].Options {
		if o.Most == 0 || o.Name == "seed" {
			continue
		}
		if o.Name == name {
			return o, nil
		}
		numeric = append(numeric, o.Name)
	}
	if len(numeric) == 0 {
		return players.Option{}, fmt.Errorf("%s has no numeric option to tune", kind)
	}
	return players.Option{}, fmt.Errorf("%s has no numeric option %.40q: want %s", kind, name, strings.Join(numeric, ", "))
}

// NewTuning returns a tuning that begins with the values of the spec. Its error names a parameter that is out of range.
func NewTuning(s TuningConfig) (*Tuning, error) {
	switch {
	case len(s.Options) == 0:
		return nil, errors.New("no option to tune: name at least one")
	case s.Iterations < 1:
		return nil, fmt.Errorf("%d iterations: want at least 1", s.Iterations)
	case !(s.Gain > 0 && s.Gain <= 100):
		return nil, fmt.Errorf("a gain of %v: want more than 0, at most 100", s.Gain)
	case s.Seed >= 1<<53 || s.Seed+uint64(s.Iterations) >= 1<<53:
		return nil, fmt.Errorf("the seed %d: want one below 2^53 for each iteration", s.Seed)
	}
	spec, err := players.ParseClosed(s.Spec)
	if err != nil {
		return nil, err
	}
	t := &Tuning{settings: s}
	for i, o := range s.Options {
		if slices.ContainsFunc(s.Options[:i], func(other TunedOption) bool { return other.Name == o.Name }) {
			return nil, fmt.Errorf("the option %s is given twice", o.Name)
		}
		value := valueOf(spec, o.Name)
		if value < o.Low || value > o.High {
			return nil, fmt.Errorf("%s=%v is not in the range from %v to %v: give the bot a value in it", o.Name, value, o.Low, o.High)
		}
		t.now = append(t.now, value)
	}
	t.start = slices.Clone(t.now)
	t.draw()
	return t, nil
}

// valueOf returns the value of a numeric option.
func valueOf(spec players.Spec, name string) float64 {
	_, options, _ := strings.Cut(spec.String(), ":")
	for _, option := range strings.Split(options, ",") {
		if text, found := strings.CutPrefix(option, name+"="); found {
			value, _ := strconv.ParseFloat(text, 64) // the spec has been parsed
			return value
		}
	}
	return 0
}

// draw draws the sides of the next iteration, which depend on the seed and the iteration alone.
func (t *Tuning) draw() {
	random := rand.New(rand.NewPCG(t.settings.Seed, uint64(len(t.steps))))
	t.sides = t.sides[:0]
	for range t.now {
		t.sides = append(t.sides, float64(2*random.IntN(2)-1))
	}
}

// Next returns the event of the next iteration; ok is false after the last iteration. Its error names a setting of the
// event that is out of range.
func (t *Tuning) Next() (e tournament.Event, ok bool, err error) {
	if len(t.steps) == t.settings.Iterations {
		return e, false, nil
	}
	s := t.settings.Config
	s.Seed += uint64(len(t.steps))
	e, err = s.openedEvent(fmt.Sprintf("%s %d", t.Name(), len(t.steps)+1),
		Contender{nameUp, t.spec(t.shifted(1))}, Contender{nameDown, t.spec(t.shifted(-1))})
	return e, err == nil, err
}

// Left returns the number of iterations after the next one.
func (t *Tuning) Left() int { return t.settings.Iterations - len(t.steps) - 1 }

// Last returns the event of the tuned bot against the bot that the tuning began with. ok is false if the two are the
// same. The error names a setting of the event that is out of range.
func (t *Tuning) Last(matches int) (e tournament.Event, ok bool, err error) {
	s := t.settings.Config
	s.Matches = matches
	s.Seed += uint64(t.settings.Iterations)
	if tuned := t.spec(t.now); fullSpec(tuned) != fullSpec(t.settings.Spec) {
		e, err = s.openedEvent(t.Name()+" result", Contender{nameTuned, tuned}, Contender{nameStart, t.settings.Spec})
		return e, err == nil, err
	}
	return e, false, nil
}

// Name returns the common part of the events' names, such as "tune mcts gpcc2015 20 ms 3x3".
func (t *Tuning) Name() string {
	kind, _, _ := strings.Cut(t.settings.Spec, ":")
	name := fmt.Sprintf("tune %s %v", kind, t.settings.Rules)
	if t.settings.Time > 0 {
		name += fmt.Sprintf(" %d ms", t.settings.Time)
	}
	if t.settings.Size != rules.Full {
		name += " " + t.settings.Size.String()
	}
	return name
}

// shifted returns the values of a bot of the next iteration: direction is 1 for the bot with the drawn sides, -1 for
// the bot with the opposite sides.
func (t *Tuning) shifted(direction float64) []float64 {
	values := slices.Clone(t.now)
	for i, o := range t.settings.Options {
		values[i] = o.within(values[i] + direction*t.sides[i]*t.step(o))
	}
	return values
}

// step returns the distance of the bots of the next iteration from the present value of an option.
func (t *Tuning) step(o TunedOption) float64 {
	return max(leastStep, o.Step/math.Pow(float64(len(t.steps)+1), stepExponent))
}

func (o TunedOption) within(x float64) float64 { return min(max(x, o.Low), o.High) }

// spec returns the spec of the bot with these values, as whole numbers.
func (t *Tuning) spec(values []float64) string {
	given := map[string]string{}
	for i, text := range texts(values) {
		given[t.settings.Options[i].Name] = text
	}
	return players.With(t.settings.Spec, given)
}

// texts returns values as specs write them, rounded. Halves are rounded up, so that values at a distance of 1 differ.
func texts(values []float64) (all []string) {
	for _, v := range values {
		all = append(all, strconv.FormatFloat(math.Floor(v+0.5), 'f', 0, 64))
	}
	return all
}

// Add moves the options by the result of the event that Next has returned. It returns an error if a match of the event
// is not decided yet.
func (t *Tuning) Add(played Played) error {
	if !played.Complete() {
		return fmt.Errorf("event %d, %q: not all of its matches are decided", played.Event.ID, played.Event.Name)
	}
	step := TuningStep{Event: played.Event.ID, Up: texts(t.shifted(1)), Down: texts(t.shifted(-1))}
	for _, m := range tournament.Matches(played.Games) {
		step.Result.Add(m, nameUp)
	}
	won := 2*step.Result.Points()/float64(step.Result.Played()) - 1 // -1 to 1
	for i, o := range t.settings.Options {
		t.now[i] = o.within(t.now[i] + t.move(o)*won*t.sides[i])
	}
	step.Values = slices.Clone(t.now)
	t.steps = append(t.steps, step)
	t.draw()
	return nil
}

// move returns the distance that an option moves if one bot wins all matches of the next iteration: a_k/(2c_k) of
// Spall's equations (1) and (2). Spall's a is such that the first move is the gain times the step.
func (t *Tuning) move(o TunedOption) float64 {
	k, settled := float64(len(t.steps)+1), stability*float64(t.settings.Iterations)
	return t.settings.Gain * o.Step * math.Pow((1+settled)/(k+settled), gainExponent) * math.Pow(k, stepExponent)
}
