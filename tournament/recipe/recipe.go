package recipe

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"versus2048/players"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// Command returns the command line that plays an event once more, or "" if there is none, since --bot does not
// accept every name. server is the arena's address for bots that connect by themselves; "" leaves it out.
func Command(e tournament.Event, server string) string {
	words := []string{"arena", "event", "run"}
	add := func(flag, value string) { words = append(words, "--"+flag, Quote(value)) }
	if server != "" {
		add("server", server)
	}
	dropLateBots(&e)
	bots, ok := flaggedBots(&e)
	if !ok {
		return ""
	}
	for _, bot := range bots {
		add("bot", bot)
	}
	for _, s := range given(&e) {
		if s.Value(&e) == true { // not a name or a file called true
			words = append(words, "--"+s.Name)
		} else {
			add(s.Name, s.Text(&e))
		}
	}
	return strings.Join(words, " ")
}

// Again returns an event as a user would ask for it, so that the event can be played once more. settings are its
// settings with Always, and its other settings that are not usual. The event has no bots if --bot does not accept the
// name of one of them.
func Again(e tournament.Event) (again tournament.Event, settings []tournament.Setting) {
	dropLateBots(&e)
	e.Bots, _ = flaggedBots(&e)
	settings = given(&e)
	return e, settings
}

// dropLateBots leaves out the bots that joined a Swiss event after its start: with them the event would have other
// rounds.
func dropLateBots(e *tournament.Event) {
	if e.Settings.Plan.Kind == tournament.Swiss {
		joined := e.Joined()
		e.Entries = slices.DeleteFunc(slices.Clone(e.Entries), func(entry tournament.Entry) bool { return joined[entry.Name] > 0 })
	}
}

// flaggedBots returns the bots of an event in the form of --bot. ok is false if one of them has no such form.
func flaggedBots(e *tournament.Event) (bots []string, ok bool) {
	for _, entry := range e.Entries {
		bot, ok := flagged(entry)
		if !ok {
			return nil, false
		}
		bots = append(bots, bot)
	}
	return append(bots, e.Bots...), true
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

// TOML returns the config file of an event, for --config. It leaves out defaults, except of settings with Always.
func TOML(e tournament.Event) string {
	dropLateBots(&e)
	var text strings.Builder
	table := ""
	for _, s := range byTable(given(&e)) {
		if s.Name == tournament.SPRT {
			continue // it has a table of its own
		}
		var key string
		table, key = beginTable(&text, table, s)
		fmt.Fprintf(&text, "%s = %s\n", key, value(s.Value(&e)))
	}
	if t := e.Settings.Plan.SPRT; t != (rating.SPRT{}) {
		text.WriteString("\n[plan.sprt]\n")
		for part := range strings.SplitSeq(t.Text(), ",") {
			key, value, _ := strings.Cut(part, "=")
			if key == "model" {
				value = quoted(value)
			}
			fmt.Fprintf(&text, "%s = %s\n", key, value)
		}
	}
	if len(e.Bots) > 0 {
		return "bots = " + value(e.Bots) + "\n" + text.String()
	}
	for _, entry := range e.Entries {
		if entry.Spec == "" && readAsSpec(entry.Name) {
			fmt.Fprintf(&text, "\n# No bot may connect as %s any more: this name stands for a bot that the arena starts.", quoted(entry.Name))
		}
		fmt.Fprintf(&text, "\n[[bot]]\nname = %s\nspec = %s\n", quoted(entry.Name), quoted(entry.Spec))
	}
	return text.String()
}

// given returns the settings that repeat an event: each one with Always, and each other one that is not usual. It first
// sets the format and the openings that a recorded event leaves out, so that the repeated event has the same.
func given(e *tournament.Event) (settings []tournament.Setting) {
	plan, openings := &e.Settings.Plan, &e.Settings.Openings
	plan.Kind = cmp.Or(plan.Kind, tournament.RoundRobin)
	if openings.Source == "" && plan.SPRT != (rating.SPRT{}) {
		openings.Source = noOpenings // without a source an sprt draws openings
	}
	for _, s := range tournament.AllSettings() {
		if s.Name != "bot" && !s.RequestOnly && (s.Always || !s.IsUsual(e)) {
			settings = append(settings, s)
		}
	}
	return settings
}

// byTable sorts settings into the order of a config file, in place: the keys outside tables come first. The settings of
// each table are neighbours already.
func byTable(settings []tournament.Setting) []tournament.Setting {
	slices.SortStableFunc(settings, func(a, b tournament.Setting) int {
		return cmp.Compare(strings.Count(a.FileKey(), "."), strings.Count(b.FileKey(), "."))
	})
	return settings
}

// beginTable returns the table of a setting, and the setting's key in the table. before is the table of the previous
// setting. If the tables differ, beginTable begins the setting's table in the text.
func beginTable(text *strings.Builder, before string, s tournament.Setting) (table, key string) {
	table, key, found := strings.Cut(s.FileKey(), ".")
	if !found {
		return "", table
	}
	if table != before {
		fmt.Fprintf(text, "\n[%s]\n", table)
	}
	return table, key
}

func value(v any) string {
	switch v := v.(type) {
	case bool, int, uint64:
		return fmt.Sprint(v)
	case float64:
		return rating.Decimal(v)
	case []string:
		texts := make([]string, len(v))
		for i, text := range v {
			texts[i] = quoted(text)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	return quoted(fmt.Sprint(v))
}

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
