package plain_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"versus2048/internal/text/plain"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"corner keeper": "corner keeper",
		"日本語 ❤️ 👩‍🚀 é e\u0301 <|> \\": "日本語 ❤️ 👩‍🚀 é e\u0301 <|> \\",
		"a\x1b[2Jb":                `a\x1b[2Jb`,
		"a\nb\r\tc\a\b":            `a\nb\r\tc\a\b`,
		"c1 \u009b31m":             `c1 \u009b31m`,
		"raw c1 \x9b31m":           `raw c1 \x9b31m`,
		"rtl \u202egnp.exe":        `rtl \u202egnp.exe`,
		"\u2066\u2069\u200e\u061c": `\u2066\u2069\u200e\u061c`,
		"zero\u200bwidth\ufeff":    `zero\u200bwidth\ufeff`,
		"two\u2028lines\u0085":     `two\u2028lines\u0085`,
		"tag \U000e0041":           `tag \U000e0041`,
		"":                         "",
	} {
		if got := plain.Line(text); got != want {
			t.Errorf("%+q becomes %q, want %q", text, got, want)
		}
	}
}

func TestCSV(t *testing.T) {
	for cell, want := range map[string]string{
		"":              "",
		"ann":           "ann",
		"-3":            "-3",
		"+2.5":          "+2.5",
		"-1.5e-7":       "-1.5e-7",
		"-Inf":          "-Inf",
		"a=b":           "a=b",
		"=1+1":          "'=1+1",
		"+1-1":          "'+1-1",
		"-2+3":          "'-2+3",
		"@SUM(A1)":      "'@SUM(A1)",
		"\t=1":          `\t=1`,
		"\r=1":          `\r=1`,
		"\x1b[2J":       `\x1b[2J`,
		"-ann":          "'-ann",
		`=cmd|'/c x'!A`: `'=cmd|'/c x'!A`,
	} {
		if got := plain.CSV(cell); got != want {
			t.Errorf("%q becomes %q, want %q", cell, got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	for cell, want := range map[string]string{
		"mcts_plus 1.5 [0.4, 0.6]": "mcts_plus 1.5 [0.4, 0.6]",
		"a|b":                      `a\|b`,
		`a\|b`:                     `a\\\|b`,
		"`x`":                      "\\`x\\`",
		"<img src=x>":              `\<img src=x>`,
		"![x](http://example.org)": `![x\](http://example.org)`,
		"a\nb\x1b[1m":              `a\\nb\\x1b[1m`,
	} {
		if got := plain.Markdown(cell); got != want {
			t.Errorf("%q becomes %q, want %q", cell, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": \"é 👩‍🚀\"\n}\n":   "{\n  \"a\": \"é 👩‍🚀\"\n}\n",
		"\"\u009b1m\u202e\U000e0041\"": `"\u009b1m\u202e\udb40\udc41"`,
	} {
		got := plain.JSON(text)
		var before, after any
		if err := errors.Join(json.Unmarshal([]byte(text), &before), json.Unmarshal([]byte(got), &after)); err != nil || got != want || !reflect.DeepEqual(before, after) {
			t.Errorf("%+q becomes %q, want %q: %v", text, got, want, err)
		}
	}
}

func FuzzTexts(f *testing.F) {
	f.Add("a\x1b[2J|`<\n")
	f.Add("=\u202e👩‍🚀\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for what, shown := range map[string]string{"line": plain.Line(text), "markdown": plain.Markdown(text)} {
			for _, r := range shown {
				if r < ' ' || r == utf8.RuneError || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
					t.Fatalf("%s: %q becomes %q", what, text, shown)
				}
			}
		}
		if strings.ContainsAny(plain.CSV(text)[:min(1, len(plain.CSV(text)))], "=@\t\r") {
			t.Errorf("%q begins a formula", plain.CSV(text))
		}
	})
}
