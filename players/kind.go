package players

// Kind is a kind of bot that a spec can name.
type Kind struct {
	Name    string
	Summary string // what it does, in a few words
	Options []Option

	build func(values) chooser
	open  func(path string) (*perfect, error) // instead of build, from the option that is a file
}

// values are a spec's options by name.
type values map[string]uint64

// Kinds lists every kind of bot, always in the same order.
func Kinds() []Kind {
	return []Kind{randomKind(), greedyKind(), evMinimaxKind(), mctsKind(), dagKind(), mctsPlusKind(), chanceKind(), perfectKind()}
}

func (k Kind) option(name string) (Option, bool) {
	for _, o := range k.Options {
		if o.Name == name {
			return o, true
		}
	}
	return Option{}, false
}

func (k Kind) optionNames() []string {
	names := make([]string, len(k.Options))
	for i, o := range k.Options {
		names[i] = o.Name
	}
	return names
}
