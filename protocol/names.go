package protocol

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/norm"

	"versus2048/internal/text/plain"
)

// LongestName is the length of the longest name, in characters.
const LongestName = 64

// CheckName returns an error if a bot cannot have that name. A name has 1 to LongestName characters and
// no space at either end. No character is invisible or controls the text around it, except that
// joiners and variation selectors may stand within emoji.
func CheckName(name string) error {
	problem := ""
	switch n := utf8.RuneCountInString(name); {
	case n < 1 || n > LongestName:
		problem = fmt.Sprintf("%d characters", n)
	case !utf8.ValidString(name):
		problem = "it is not UTF-8"
	case strings.TrimSpace(name) != name:
		problem = "there is a space at an end"
	default:
		problem = invisible([]rune(name))
	}
	if problem != "" {
		return fmt.Errorf("name %.80q: %s: want 1 to %d printable characters, no space at either end", name, problem, LongestName)
	}
	return nil
}

// invisible describes the first character that cannot be seen, "" if there is none.
func invisible(name []rune) string {
	for i, r := range name {
		if !plain.Visible(r) && !isEmojiPart(name[:i], r, name[i+1:]) {
			return fmt.Sprintf("character %d, %U, is invisible", i+1, r)
		}
	}
	return ""
}

// The characters that make one emoji of several, or choose its form.
const (
	joiner   = '\u200d'
	asText   = '\ufe0e'
	asEmoji  = '\ufe0f'
	keycap   = '\u20e3'
	lightest = '\U0001f3fb' // the first of five skin tones
	darkest  = '\U0001f3ff'
)

// isEmojiPart reports whether r, which is invisible, is part of an emoji: a joiner between two emoji, or a variation
// selector behind an emoji or behind the key of a keycap.
func isEmojiPart(before []rune, r rune, after []rune) bool {
	switch r {
	case joiner:
		return isEmoji(lastSymbol(before)) && len(after) > 0 && isEmoji(after[0])
	case asText, asEmoji:
		if len(before) == 0 {
			return false
		}
		last := before[len(before)-1]
		isKey := slices.Contains([]rune("0123456789#*"), last) && len(after) > 0 && after[0] == keycap
		return isEmoji(last) || isKey
	}
	return false
}

// lastSymbol returns the last character before its skin tone and its variation selector, 0 for none.
func lastSymbol(text []rune) rune {
	for i := len(text) - 1; i >= 0; i-- {
		if r := text[i]; r != asEmoji && (r < lightest || r > darkest) {
			return r
		}
	}
	return 0
}

// isEmoji reports whether a character may be an emoji. Emoji are symbols, apart from four that are punctuation, such as
// U+203C, and one that is a letter, U+2139, for which isEmoji returns false.
func isEmoji(r rune) bool {
	return r > unicode.MaxASCII && (unicode.Is(unicode.S, r) || unicode.Is(unicode.P, r))
}

// NameKey is a form of a name for comparisons. The keys of two names have a part in common if people
// can mistake one name for the other.
type NameKey struct {
	shape  string // the look of the name: its skeleton (Unicode Technical Standard 39)
	folded string // the look of its nickname (RFC 8266: without case, widths and extra spaces)
}

// NewNameKey returns the key of a name, valid or not.
func NewNameKey(name string) NameKey {
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
	return NameKey{confusable.Skeleton(visible), confusable.Skeleton(folded)}
}

// Alike reports whether people may mistake the names of the two keys for one another.
func (k NameKey) Alike(other NameKey) bool { return k.shape == other.shape || k.folded == other.folded }

// AlikeNames reports whether people may mistake the names for one another. It compares their keys: see NameKey.
func AlikeNames(a, b string) bool { return a == b || NewNameKey(a).Alike(NewNameKey(b)) }
