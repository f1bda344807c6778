package players

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"versus2048/rules"
)

// Spec names a kind of bot and sets its options. Make one with Parse.
type Spec struct {
	kind Kind
	bot  configuration
}

// Parse reads a spec: the name of a kind alone, or name:option=value,option=value, such as
// "mcts:playouts=10000,seed=7". Missing options have their defaults. Parse opens and verifies each file that the spec
// names; a table or an n-tuple network stays open while the spec or one of its players is in use. The error for an
// unknown kind, an unknown option or a bad value lists the allowed ones. A repeated or missing option and an unusable
// file are errors, too.
func Parse(text string) (Spec, error) {
	spec, err := ParseClosed(text)
	if err != nil {
		return Spec{}, err
	}
	if err := spec.bot.open(); err != nil {
		return Spec{}, fmt.Errorf("bot %.100q: %w", text, err)
	}
	return spec, nil
}

// ParseClosed is Parse without opening the files that the spec names. Use it to find the files and the need of
// a spec, with Files and Need: a bot with closed files cannot play.
func ParseClosed(text string) (Spec, error) {
	spec, err := parseSpec(text)
	if err != nil {
		return Spec{}, fmt.Errorf("bot %.100q: %w", text, err)
	}
	return spec, nil
}

// InFolder returns a spec with its relative paths joined to a folder. Without InFolder, Parse looks for relative paths
// in the folder of the process. InFolder returns a text that names no kind as it is, and every text if the folder is
// "". It opens no file.
func InFolder(text, folder string) string {
	name, options, _ := strings.Cut(text, ":")
	kind, err := findKind(name)
	if err != nil || folder == "" || options == "" {
		return text
	}
	parts := strings.Split(options, ",")
	for i, part := range parts {
		name, path, _ := strings.Cut(part, "=")
		named := func(o Option) bool { return o.Name == name && o.isPath(path) }
		if path != "" && !filepath.IsAbs(path) && slices.ContainsFunc(kind.Options, named) {
			parts[i] = name + "=" + filepath.Join(folder, path)
		}
	}
	return kind.Name + ":" + strings.Join(parts, ",")
}

func parseSpec(text string) (Spec, error) {
	name, options, hasOptions := strings.Cut(text, ":")
	kind, err := findKind(name)
	if err != nil {
		return Spec{}, err
	}
	s := Spec{kind: kind, bot: kind.defaults()}
	given := map[string]bool{}
	if hasOptions {
		for _, option := range strings.Split(options, ",") {
			if err := s.set(option, given); err != nil {
				return Spec{}, err
			}
		}
	}
	return s, s.complete(given)
}

// LooksLikeSpec reports whether a text is a spec or begins like one, with the name of a kind before its colon or alone.
// A bot that connects by itself cannot have this text as its name. LooksLikeSpec opens no file.
func LooksLikeSpec(text string) bool {
	name, _, _ := strings.Cut(text, ":")
	_, err := findKind(name)
	return err == nil
}

func findKind(name string) (Kind, error) {
	var names []string
	for _, k := range kinds() {
		if k.Name == name {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return Kind{}, unknown("bot", name, names)
}

// set reads one option=value and adds the option's name to given.
func (s Spec) set(text string, given map[string]bool) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("%.40q: want option=value", text)
	}
	option, ok := s.setting(name)
	if !ok {
		return unknown("option", name, s.optionNames())
	}
	if given[name] {
		return fmt.Errorf("option %s is given twice", name)
	}
	given[name] = true
	return option.parse(value)
}

// complete gives the missing options their defaults: first the defaults of the kind, then the defaults that
// follow from other options.
func (s Spec) complete(given map[string]bool) error {
	missing := slices.DeleteFunc(s.bot.settings(), func(o setting) bool { return given[o.Name] })
	for _, option := range missing {
		if option.Required() {
			return fmt.Errorf("option %s is missing: want %s:%[1]s=FILE", option.Name, s.kind.Name)
		}
		if err := option.parse(option.Default); err != nil {
			return fmt.Errorf("default of %w", err)
		}
	}
	for _, option := range missing {
		if option.follow == nil {
			continue
		}
		if err := option.parse(option.follow()); err != nil {
			return fmt.Errorf("default of %w", err)
		}
	}
	return nil
}

func (s Spec) setting(name string) (option setting, ok bool) {
	settings := s.bot.settings()
	i := slices.IndexFunc(settings, func(o setting) bool { return o.Name == name })
	if i < 0 {
		return setting{}, false
	}
	return settings[i], true
}

func (s Spec) optionNames() []string {
	var names []string
	for _, o := range s.kind.Options {
		names = append(names, o.Name)
	}
	return names
}

// Kind returns the name of the kind of bot.
func (s Spec) Kind() string { return s.kind.Name }

// String writes the spec with every option, in the order of Kind.Options. Record this form: the defaults may change,
// but the meaning of a complete spec does not.
func (s Spec) String() string {
	var b strings.Builder
	b.WriteString(s.kind.Name)
	for i, option := range s.bot.settings() {
		b.WriteByte(":,"[min(i, 1)])
		b.WriteString(option.Name + "=" + option.text())
	}
	return b.String()
}

// Short returns the shortest text for a spec: it omits the options with the values that Parse sets by itself.
// It returns any other text as it is, and opens no file.
func Short(text string) string {
	spec, err := parseSpec(text)
	name, options, _ := strings.Cut(text, ":")
	if err != nil || options == "" {
		return text
	}
	full, given := spec.String(), strings.Split(options, ",")
	for i := len(given) - 1; i >= 0; i-- {
		without := joinSpec(name, slices.Delete(slices.Clone(given), i, i+1))
		if same, err := parseSpec(without); err == nil && same.String() == full {
			given = slices.Delete(given, i, i+1)
		}
	}
	return joinSpec(name, given)
}

// joinSpec returns the text of a spec with these options.
func joinSpec(name string, options []string) string {
	if len(options) == 0 {
		return name
	}
	return name + ":" + strings.Join(options, ",")
}

// Files returns the absolute paths of the files that the spec names.
func (s Spec) Files() (paths []string) {
	for _, option := range s.fileOptions() {
		paths = append(paths, *option.path)
	}
	return paths
}

// FilesByOption returns the paths that Files returns, each under the name of its option.
func (s Spec) FilesByOption() map[string]string {
	paths := map[string]string{}
	for _, option := range s.fileOptions() {
		paths[option.Name] = *option.path
	}
	return paths
}

// fileOptions returns the options that name files.
func (s Spec) fileOptions() (all []setting) {
	for _, option := range s.bot.settings() {
		if option.path != nil && option.isPath(*option.path) {
			all = append(all, option)
		}
	}
	return all
}

// WithFiles returns a spec with other files; paths maps the names of options to the paths of the files. It returns a
// text without any of these options as it is, and opens no file.
func WithFiles(text string, paths map[string]string) string {
	name, options, _ := strings.Cut(text, ":")
	parts := strings.Split(options, ",")
	for i, part := range parts {
		option, _, _ := strings.Cut(part, "=")
		if path, known := paths[option]; known {
			parts[i] = option + "=" + path
		}
	}
	if options == "" {
		return text
	}
	return name + ":" + strings.Join(parts, ",")
}

// With returns the text of a spec with other values for some options; values maps the names of the options to their
// values. It opens no file.
func With(text string, values map[string]string) string {
	name, options, _ := strings.Cut(text, ":")
	var parts []string
	if options != "" {
		parts = strings.Split(options, ",")
	}
	parts = slices.DeleteFunc(parts, func(part string) bool {
		option, _, _ := strings.Cut(part, "=")
		_, changed := values[option]
		return changed
	})
	for _, option := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, option+"="+values[option])
	}
	return joinSpec(name, parts)
}

// Need returns the most that the bot uses to play one game.
func (s Spec) Need() Need { return s.bot.need() }

// Plays returns an error if the bot cannot play under these rules on boards of this size. A bot with a table or
// a proof plays only its game. A bot with a network plays only on boards of the network's size, but under all
// rules, even if the network has not learned them. A bot with the program's neural networks plays only the games
// that one of them is for. The spec must come from Parse.
func (s Spec) Plays(r rules.Ruleset, size rules.Size) error {
	err := s.bot.plays(r, size)
	if errors.As(err, new(*ForeignError)) {
		return nil
	}
	return err
}

// Variants returns the rules and sizes that the bot plays. They cover every game that passes Plays, and may cover other
// games.
func (s Spec) Variants() (v rules.Variants) {
	for _, r := range rules.Rulesets() {
		for _, size := range rules.Sizes() {
			if s.Plays(r, size) != nil {
				continue
			}
			if !slices.Contains(v.Rules, r) {
				v.Rules = append(v.Rules, r)
			}
			if !slices.Contains(v.Sizes, size) {
				v.Sizes = append(v.Sizes, size)
			}
		}
	}
	if len(v.Rules) == len(rules.Rulesets()) {
		v.Rules = nil
	}
	if len(v.Sizes) == len(rules.Sizes()) {
		v.Sizes = nil
	}
	return v
}

// Suits is Plays for a new event, when somebody chooses the bots. It also returns a *ForeignError for a network
// that comes with the program and has learned another game. For a network in a file it does not: a user who names
// a file wants its network.
func (s Spec) Suits(r rules.Ruleset, size rules.Size) error {
	if foreign := s.Foreign(r, size); foreign != nil && !foreign.File {
		return foreign
	}
	return s.Plays(r, size)
}

// Foreign returns the error for a bot with a network that has learned another game, and nil for other bots.
func (s Spec) Foreign(r rules.Ruleset, size rules.Size) (foreign *ForeignError) {
	errors.As(s.bot.plays(r, size), &foreign)
	return foreign
}

// ForeignError is the error for a network that has learned under other rules than the game's rules. The network
// can play, but its knowledge may be of little use.
type ForeignError struct {
	Network         string // its name or path
	Learned, Played rules.Ruleset
	File            bool // whether the network is in a file that the spec names
}

func (e *ForeignError) Error() string {
	text := fmt.Sprintf("its network %s has learned %v, and knows little of %v", e.Network, e.Learned, e.Played)
	if e.File {
		return text
	}
	return text + ": leave out weights to get the network for the rules of the game"
}

// New returns the bot for one game. Its moves depend only on the spec, the game's seed and the position, with the
// exceptions that the package comment names.
func (s Spec) New(g Game) Player { return s.bot.player(g) }

// unknown returns the error for a name that is not among known.
func unknown(what, name string, known []string) error {
	hint := ""
	if near := Nearest(name, known); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return fmt.Errorf("unknown %s %.40q%s: want one of %s", what, name, hint, strings.Join(known, ", "))
}

// Nearest returns the known name that is nearest to name, for "did you mean". It returns "" if none is at most two
// edits away, or if the edits would leave fewer than two letters of the known name.
func Nearest(name string, known []string) string {
	best, edits := "", 3
	for _, k := range known {
		if d := editDistance(name, k); d < edits && d < len(k)-1 {
			best, edits = k, d
		}
	}
	return best
}

// editDistance counts the bytes to insert, delete or replace to get from a to b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := corner
			if a[i] != b[j] {
				replace++
			}
			corner = row[j+1]
			row[j+1] = min(replace, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
