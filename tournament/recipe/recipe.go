package recipe

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"versus2048/players"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// Command returns the command line that plays an event once more, or "" if there is none, since
// --bot does not accept every name. server is the arena's address for bots that connect by
// themselves; "" leaves it out.
func Command(e tournament.Event, server string) string {
	words := []string{"arena", "tournament", "run"}
	add := func(flag, value string) { words = append(words, "--"+flag, Quote(value)) }
	if server != "" {
		add("server", server)
	}
	for _, entry := range e.Entries {
		bot, ok := flagged(entry)
		if !ok {
			return ""
		}
		add("bot", bot)
	}
	for _, bot := range e.Bots {
		add("bot", bot)
	}
	for _, s := range settings(&e) {
		switch {
		case s.text == s.standard:
		case s.value == true: // otherwise it would be a name or a file called true
			words = append(words, "--"+s.flag)
		default:
			add(s.flag, s.text)
		}
	}
	return strings.Join(words, " ")
}

// ProgramFlag returns the flag that names a program to the process that runs an arena, with a
// placeholder for the program's command.
func ProgramFlag(name string) string { return "--bot " + inQuotes(name+"=exec:COMMAND") }

// flagged returns an entry in the form of --bot. ok is false if no value of --bot means this entry:
// a name ends at the first =, and a spec begins with its kind and a colon.
func flagged(e tournament.Entry) (bot string, ok bool) {
	if e.Spec == "" {
		return e.Name, !readAsSpec(e.Name)
	}
	if !strings.ContainsAny(e.Name, "=:") {
		return e.String(), true
	}
	spec, err := players.ParseClosed(e.Name) // a spec alone is its own name
	return e.Name, err == nil && spec.String() == e.Spec
}

// readAsSpec reports whether the name of a bot that connected by itself would now be read as SPEC
// or NAME=SPEC, a bot that the arena starts. Earlier versions admitted such names.
func readAsSpec(name string) bool {
	before, spec, named := strings.Cut(name, "=")
	if !named || strings.Contains(before, ":") {
		spec = name
	}
	return players.LooksLikeSpec(spec)
}

// TOML returns the config file of an event, for --config. It leaves out defaults.
func TOML(e tournament.Event) string {
	var text strings.Builder
	table := ""
	for _, s := range settings(&e) {
		if s.text == s.standard || s.key == "" {
			continue
		}
		if s.table != table {
			table = s.table
			fmt.Fprintf(&text, "\n[%s]\n", table)
		}
		fmt.Fprintf(&text, "%s = %s\n", s.key, s.toml())
	}
	if t := e.Settings.Plan.SPRT; t != (rating.SPRT{}) {
		text.WriteString("\n[plan.sprt]\n")
		fmt.Fprintf(&text, "elo0 = %s\nelo1 = %s\n", decimal(t.Elo0), decimal(t.Elo1))
		if t.Alpha != 0 {
			fmt.Fprintf(&text, "alpha = %s\n", decimal(t.Alpha))
		}
		if t.Beta != 0 {
			fmt.Fprintf(&text, "beta = %s\n", decimal(t.Beta))
		}
		if t.Model != "" {
			fmt.Fprintf(&text, "model = %s\n", quoted(string(t.Model)))
		}
	}
	if len(e.Bots) > 0 {
		var names []string
		for _, bot := range e.Bots {
			names = append(names, quoted(bot))
		}
		return "bots = [" + strings.Join(names, ", ") + "]\n" + text.String()
	}
	for _, entry := range e.Entries {
		if entry.Spec == "" && readAsSpec(entry.Name) {
			fmt.Fprintf(&text, "\n# No bot may connect as %s any more: this name stands for a bot that the arena starts.", quoted(entry.Name))
		}
		fmt.Fprintf(&text, "\n[[bot]]\nname = %s\nspec = %s\n", quoted(entry.Name), quoted(entry.Spec))
	}
	return text.String()
}

// setting is a setting of an event: its flag, its table and key in a config file, its value as a
// flag, and the flag's default.
type setting struct {
	flag, table, key string
	value            any
	standard, text   string
}

// settings lists an event's settings. Settings of the same table in a config file are adjacent.
func settings(e *tournament.Event) (all []setting) {
	add := func(flag, table, key, standard string, value any) {
		all = append(all, setting{flag, table, key, value, standard, fmt.Sprint(value)})
	}
	p, s := &e.Settings.Plan, &e.Settings
	add("name", "", "name", "", e.Name)
	add("rules", "", "rules", "", e.Rules.String())
	add("size", "", "size", "", e.Size.String())
	add("seed", "", "seed", "", e.Seed)
	add("matches", "", "matches", "", e.Matches)
	add("concurrency", "", "concurrency", "", e.Concurrency)
	add("time-per-move", "", "time_per_move", "5s", e.Clock.PerMove)
	add("time", "", "time", "0s", e.Clock.Base)
	add("increment", "", "increment", "0s", e.Clock.Increment)
	add("absent", "", "absent", "0s", time.Duration(s.Absent))
	add("in-process", "", "in_process", "false", e.InProcess)
	add("search", "", "search", "false", e.Search)
	add("live-search", "", "live_search", "false", s.LiveSearch)
	add("openings", "", "openings", "", openings(e))
	add("format", "plan", "kind", "", p.Kind)
	add("seeds", "plan", "seeds", "0", p.Seeds)
	add("seeds-attack", "plan", "seeds_attack", "false", p.SeedsAttack)
	add("rounds", "plan", "rounds", "0", p.Rounds)
	add("ahead", "plan", "ahead", "0", p.Ahead)
	add("within", "plan", "within", "0", p.Within)
	add("open", "plan", "open", "", string(p.Open))
	add("most", "plan", "most", "0", p.Most)
	add("sprt", "plan", "", "", hypotheses(p.SPRT))
	add("playouts", "budget", "playouts", "0", s.Budget.Playouts)
	add("nodes", "budget", "nodes", "0", s.Budget.Nodes)
	add("margin", "lenience", "margin", "0s", time.Duration(s.Lenience.Margin))
	add("lag", "lenience", "lag", "0s", time.Duration(s.Lenience.Lag))
	add("max-turns", "adjudication", "max_turns", "0", s.Adjudication.MaxTurns)
	add("max-tile", "adjudication", "max_tile", "0", s.Adjudication.MaxTile)
	add("early-decision", "adjudication", "early_decision", "false", s.Adjudication.EarlyDecision)
	add("resign", "adjudication", "resign", "false", s.Adjudication.Resign)
	add("strikes", "strikes", "faults", "0", s.Strikes.Faults)
	add("struck-games", "strikes", "games", "", string(s.Strikes.Games))
	return all
}

// openings returns the source of an event's openings. For an sprt without openings it returns
// "none", since a repeated sprt would draw openings otherwise.
func openings(e *tournament.Event) string {
	if e.Settings.Openings.Source == "" && e.Settings.Plan.SPRT != (rating.SPRT{}) {
		return "none"
	}
	return e.Settings.Openings.Source
}

// hypotheses returns a test in the form of the flag --sprt, "" for none.
func hypotheses(t rating.SPRT) string {
	if t == (rating.SPRT{}) {
		return ""
	}
	text := fmt.Sprintf("elo0=%s,elo1=%s", decimal(t.Elo0), decimal(t.Elo1))
	if t.Alpha != 0 {
		text += ",alpha=" + decimal(t.Alpha)
	}
	if t.Beta != 0 {
		text += ",beta=" + decimal(t.Beta)
	}
	if t.Model != "" {
		text += ",model=" + string(t.Model)
	}
	return text
}

// toml returns the value in the form of a config file.
func (s *setting) toml() string {
	switch s.value.(type) {
	case bool, int, uint64, float64:
		return s.text
	}
	return quoted(s.text)
}

// decimal writes a number with a decimal point, as TOML requires.
func decimal(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// quoted writes a text as a basic string of TOML.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// plainWord matches words that have no special characters for a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9._/:@%+=,-]+$`)

// Quote makes a text one word for a shell.
func Quote(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return inQuotes(text)
}

// inQuotes makes any text one word for a shell.
func inQuotes(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
