package regret

import (
	"slices"
	"strconv"
	"strings"
)

// Effort is how much a bot searches.
type Effort struct {
	Family   string `json:"family"`   // its name without the number of playouts
	Playouts int    `json:"playouts"` // a move; 0 if that is not how it is set
}

// effortOf reads a bot's effort from its spec.
func effortOf(b Bot) Effort {
	kind, options, _ := strings.Cut(b.Spec.String(), ":")
	e := Effort{Family: b.Name}
	for _, o := range strings.Split(options, ",") {
		if n, ok := strings.CutPrefix(o, "playouts="); ok && strings.Contains(options, "time=0,") {
			e.Playouts, _ = strconv.Atoi(n) // a spec's own text
			e.Family = family(b.Name, kind)
		}
	}
	return e
}

// family is a name such as "mcts:c=50,playouts=100" without its playouts.
func family(name, kind string) string {
	_, settings, _ := strings.Cut(name, ":")
	others := slices.DeleteFunc(strings.Split(settings, ","), func(o string) bool {
		return o == "" || strings.HasPrefix(o, "playouts=")
	})
	if len(others) == 0 {
		return kind
	}
	return kind + ":" + strings.Join(others, ",")
}
