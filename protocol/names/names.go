package names

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"versus2048/internal/text/plain"
)

// Longest is the length of the longest name, in characters.
const Longest = 64

// Check returns an error if a bot cannot have that name. A name has 1 to Longest characters and no
// space at either end. No character is invisible or controls the text around it, except that
// joiners and variation selectors may stand within emoji.
func Check(name string) error {
	problem := ""
	switch n := utf8.RuneCountInString(name); {
	case n < 1 || n > Longest:
		problem = fmt.Sprintf("%d characters", n)
	case !utf8.ValidString(name):
		problem = "it is not UTF-8"
	case strings.TrimSpace(name) != name:
		problem = "there is a space at an end"
	default:
		problem = invisible([]rune(name))
	}
	if problem != "" {
		return fmt.Errorf("name %.80q: %s: want 1 to %d printable characters, no space at either end", name, problem, Longest)
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

// isEmojiPart reports whether r, which is invisible, is part of an emoji: a joiner between two emoji,
// or a variation selector behind one.
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

// isEmoji reports whether a character may be an emoji. All emoji are symbols, apart from two
// exclamation marks and two dashes.
func isEmoji(r rune) bool {
	return r > unicode.MaxASCII && (unicode.Is(unicode.S, r) || unicode.Is(unicode.P, r))
}
