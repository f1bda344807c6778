package stdio

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"versus2048/rules"
)

// Answer is a line from the bot: ID, Option, Plays, Ready, Info, Move, Resign, Error or Unknown.
// String writes it.
type Answer interface {
	fmt.Stringer
	answer()
}

func (ID) answer()      {}
func (Option) answer()  {}
func (Plays) answer()   {}
func (Ready) answer()   {}
func (Info) answer()    {}
func (Move) answer()    {}
func (Resign) answer()  {}
func (Error) answer()   {}
func (Unknown) answer() {}

// ID is information about the bot, sent before the bot is ready.
type ID struct {
	Key  string // IDName, IDVersion, IDAuthor, or another key, which is ignored
	Text string
}

// The keys of an ID.
const (
	IDName    = "name"
	IDVersion = "version"
	IDAuthor  = "author"
)

// Option is an option of the bot. The arena sets it by a Set.
type Option struct {
	Name     string
	Type     OptionType
	Default  string
	Min, Max string   // of a number; "" for no bound
	Choices  []string // of a choice
}

// OptionType is the kind of values that an option takes.
type OptionType string

// The types of options.
const (
	IntType    OptionType = "int"
	FloatType  OptionType = "float"
	StringType OptionType = "string"
	BoolType   OptionType = "bool" // true or false
	ChoiceType OptionType = "choice"
)

// Plays lists, before Ready, the games that the bot plays. Without it the bot plays all games.
type Plays struct{ Games rules.Variants }

// Ready ends the bot's answer to a Hello.
type Ready struct{}

// Move answers a Go. Its text may be invalid: the referee checks whether it is a move.
type Move struct{ Text string }

// Resign answers a Go by giving up the game.
type Resign struct{}

// Error means that the bot cannot go on. As the answer to a Go, it gives up the game.
type Error struct{ Text string }

// ParseAnswer reads a line from the bot, with or without its end. It returns a *LineError for an option without a valid
// name, and for an info with an invalid part.
func ParseAnswer(line string) (Answer, error) {
	a, err := parseAnswer(strings.TrimRight(line, "\r\n"))
	if err != nil {
		return nil, &LineError{line, err.Error()}
	}
	return a, nil
}

func parseAnswer(line string) (Answer, error) {
	switch word, _ := cutWord(line); word {
	case "id":
		key, text := cutWord(rest(line, 1))
		return ID{key, text}, nil
	case "option":
		return parseOption(parseArguments(line))
	case "plays":
		a := parseArguments(line)
		return Plays{rules.ParseVariants(a.list("rules"), a.list("size"), a.list("role"))}, nil
	case "ready":
		return Ready{}, nil
	case "info":
		return parseInfo(parseArguments(line))
	case "move":
		return Move{strings.Join(parseArguments(line).words[1:], " ")}, nil
	case "resign":
		return Resign{}, nil
	case "error":
		return Error{rest(line, 1)}, nil
	}
	return Unknown{line}, nil
}

func (i ID) String() string     { return strings.TrimSpace("id " + i.Key + " " + oneLine(i.Text)) }
func (p Plays) String() string  { return strings.TrimSpace("plays " + p.Games.String()) }
func (Ready) String() string    { return "ready" }
func (m Move) String() string   { return strings.TrimSpace("move " + oneLine(m.Text)) }
func (Resign) String() string   { return "resign" }
func (e Error) String() string  { return strings.TrimSpace("error " + oneLine(e.Text)) }
func (o Option) String() string { return o.line().String() }

func (o Option) line() *line {
	l := newLine("option").add("name", o.Name).add("type", string(o.Type)).add("default", percentEncode(o.Default))
	l.add("min", o.Min).add("max", o.Max)
	choices := make([]string, len(o.Choices))
	for i, choice := range o.Choices {
		choices[i] = percentEncode(choice)
	}
	return l.add("choices", strings.Join(choices, ","))
}

func parseOption(a arguments) (Answer, error) {
	o := Option{Name: a.values["name"], Type: OptionType(a.values["type"]), Default: percentDecode(a.values["default"]), Min: a.values["min"], Max: a.values["max"]}
	if !isName(o.Name) {
		return nil, fmt.Errorf("name=%.80s: want 1 to %d letters A-Z and a-z, digits, points, _ and -", o.Name, maxName)
	}
	if text := a.values["choices"]; text != "" {
		for choice := range strings.SplitSeq(text, ",") {
			o.Choices = append(o.Choices, percentDecode(choice))
		}
	}
	return o, nil
}

// maxName is the length of the longest name of an option.
const maxName = 64

// isName reports whether a text can be the name of an option.
func isName(text string) bool {
	return text != "" && len(text) <= maxName && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.") == ""
}

// Check returns an error if the option cannot have that value. For an unknown type it accepts every value that
// fits on a line.
func (o Option) Check(value string) error {
	if strings.ContainsAny(value, "\r\n\x00") {
		return fmt.Errorf("option %s: the value %.40q breaks the line", o.Name, value)
	}
	ok, want := true, ""
	switch o.Type {
	case IntType:
		ok, want = o.inBounds(value, func(text string) (float64, error) {
			n, err := strconv.ParseInt(text, 10, 64)
			return float64(n), err
		}), "a whole number"
	case FloatType:
		ok, want = o.inBounds(value, finite), "a number"
	case BoolType:
		ok, want = value == "true" || value == "false", "true or false"
	case ChoiceType:
		ok, want = slices.Contains(o.Choices, value), "one of "+strings.Join(o.Choices, ", ")
	}
	if ok {
		return nil
	}
	switch {
	case o.Min != "" && o.Max != "":
		want += fmt.Sprintf(" from %s to %s", o.Min, o.Max)
	case o.Min != "":
		want += " from " + o.Min
	case o.Max != "":
		want += " up to " + o.Max
	}
	return fmt.Errorf("option %s=%.40s: want %s", o.Name, value, want)
}

// finite parses a number that is not infinite.
func finite(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		err = strconv.ErrRange
	}
	return v, err
}

// inBounds reports whether a text is a number within the option's bounds.
func (o Option) inBounds(text string, parse func(string) (float64, error)) bool {
	v, err := parse(text)
	if err != nil {
		return false
	}
	least, noMin := parse(o.Min)
	most, noMax := parse(o.Max)
	return (noMin != nil || v >= least) && (noMax != nil || v <= most)
}
