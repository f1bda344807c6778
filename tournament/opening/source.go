package opening

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"versus2048/rules"
)

// drawnByDefault is how many openings a random source has if it does not say.
const drawnByDefault = 500

// maxPlies keeps openings openings.
const maxPlies = 100

// Load is what a source stands for: the file of that name, or
// "random:plies=8,seed=1,count=100", positions drawn as Draw does. Each number
// may be left out: then it is 8, 1 or 500, or as many as there are. An error says
// what is wrong with the source, or in which line of the file.
func Load(source string, g Variant) ([]rules.Position, error) {
	options, random := strings.CutPrefix(source, "random")
	if random && (options == "" || options[0] == ':') {
		return load(strings.TrimPrefix(options, ":"), g)
	}
	file, err := os.Open(source)
	if err != nil {
		return nil, fmt.Errorf("openings: %w (or want random:plies=8,seed=1)", err)
	}
	defer file.Close()
	positions, err := Read(file, g)
	if err != nil {
		return nil, fmt.Errorf("openings %s: %w", source, err)
	}
	return positions, nil
}

// load draws openings as the options of a random source say.
func load(options string, g Variant) ([]rules.Position, error) {
	values := map[string]uint64{"plies": 8, "seed": 1, "count": drawnByDefault}
	most := map[string]uint64{"plies": maxPlies, "seed": 1<<53 - 1, "count": 10_000}
	for option := range strings.SplitSeq(options, ",") {
		if options == "" {
			break
		}
		name, text, _ := strings.Cut(option, "=")
		value, err := strconv.ParseUint(text, 10, 64)
		if most[name] == 0 {
			return nil, fmt.Errorf("openings random: option %.40q: want plies=8, seed=1 or count=100", option)
		}
		if err != nil || value > most[name] || value == 0 && name != "seed" {
			return nil, fmt.Errorf("openings random: %.40q: want a number up to %d", option, most[name])
		}
		values[name] = value
	}
	drawn := Draw(g, int(values["plies"]), int(values["count"]), values["seed"])
	if len(drawn) == 0 {
		return nil, fmt.Errorf("openings random: no position of %v is found after %d plies that is not mated or symmetric: want other plies", g.Size, values["plies"])
	}
	return drawn, nil
}
