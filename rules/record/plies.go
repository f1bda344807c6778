package record

import (
	"encoding/json"
	"fmt"
)

// MaxPlies is larger than the number of plies of any game. Each turn, of two plies, adds at least 2 to the sum of the
// tiles. The sum is at most 196,604, and less under rules without 4s. The board with this sum holds two 65536s, which
// do not merge, and one tile of each value from 32768 down to 4: 14 cells are too few to build a third 65536.
const MaxPlies = 1 << 18

// maxValues is the largest number of values, at any depth, in one entry of plies. A search report has fewer than
// 5*MaxSearchDepth values.
const maxValues = 5 * MaxSearchDepth

// plies is a list in JSON with one entry for each ply. Reading it takes memory in proportion to its
// text: it may have at most MaxPlies entries, each of at most maxValues values.
type plies[T any] []T

// UnmarshalJSON reads the list. It rejects unknown keys in its entries.
func (l *plies[T]) UnmarshalJSON(list []byte) error {
	if err := checkPlies(list); err != nil {
		return err
	}
	return unmarshalStrictly(list, (*[]T)(l))
}

// ParseSearches reads a list of search reports in JSON, with one entry for each ply and null for a ply without
// a report. It returns an error for more than MaxPlies entries, and for an entry that is no report. It ignores
// unknown keys and does not check the reports: see SearchReport.Check.
func ParseSearches(list []byte) (searches []*SearchReport, err error) {
	if err = checkPlies(list); err == nil {
		err = json.Unmarshal(list, &searches)
	}
	return searches, err
}

// checkPlies returns an error for a list that is longer than plies allows. It counts the commas: commas at depth 1 lie
// between entries, all others between the values of an entry. It does not notice a text that is no list in JSON.
func checkPlies(list []byte) error {
	depth, entries, values, quoted := 0, 1, 1, false
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[', c == '{':
			depth++
		case c == ']', c == '}':
			depth--
		case c == ',' && depth == 1:
			entries, values = entries+1, 1
		case c == ',':
			values++
		}
		if entries > MaxPlies {
			return fmt.Errorf("a list of more than %d plies: no game has as many", MaxPlies)
		}
		if values > maxValues {
			return fmt.Errorf("entry %d of a list with one entry for each ply has more than %d values", entries, maxValues)
		}
	}
	return nil
}
