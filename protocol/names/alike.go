package names

import (
	"strings"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/norm"

	"versus2048/internal/text/plain"
)

// Key is a form of a name for comparisons. The keys of two names have a part in common if people
// can mistake one name for the other.
type Key struct {
	shape  string // the look of the name: its skeleton (Unicode Technical Standard 39)
	folded string // the look of its nickname (RFC 8266: without case, widths and extra spaces)
}

// NewKey returns the key of a name, valid or not.
func NewKey(name string) Key {
	visible := strings.Map(func(r rune) rune {
		if plain.Visible(r) {
			return r
		}
		return -1 // joiners and selectors change the form of an emoji only
	}, name)
	folded, err := precis.Nickname.CompareKey(visible)
	if err != nil { // the profile lacks some characters, such as those from a newer Unicode
		folded = strings.ToLower(norm.NFKC.String(visible))
	}
	return Key{confusable.Skeleton(visible), confusable.Skeleton(folded)}
}

// Alike reports whether people may mistake the names of the two keys for one another.
func (k Key) Alike(other Key) bool { return k.shape == other.shape || k.folded == other.folded }

// Alike reports whether people may mistake the names for one another, as NewKey compares them.
func Alike(a, b string) bool { return a == b || NewKey(a).Alike(NewKey(b)) }
