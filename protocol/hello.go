package protocol

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hello is a bot's first message. All but the name may be absent.
type Hello struct {
	Name    string `json:"name"`              // 1 to 64 printable characters, no space at either end
	Version string `json:"version,omitempty"` // of the bot, up to 200 printable characters; likewise the next three
	Author  string `json:"author,omitempty"`
	Spec    string `json:"spec,omitempty"` // what it is and how it is set
	Token   string `json:"token,omitempty"`
	Slots   int    `json:"slots,omitempty"` // games it plays at once, 1 to 1024; 0 stands for 1
}

// The limits of a hello's fields.
const (
	maxName  = 64   // characters
	maxField = 200  // characters of any other text
	MaxSlots = 1024 // games at once
)

// checked is the hello with its defaults filled in. It returns an error for a
// field out of range.
func (h Hello) checked() (Hello, error) {
	if err := CheckName(h.Name); err != nil {
		return h, err
	}
	for _, field := range []struct{ name, text string }{
		{"version", h.Version}, {"author", h.Author}, {"spec", h.Spec}, {"token", h.Token},
	} {
		if utf8.RuneCountInString(field.text) > maxField || strings.ContainsFunc(field.text, unprintable) {
			return h, fmt.Errorf("%s: want at most %d printable characters", field.name, maxField)
		}
	}
	if h.Slots == 0 {
		h.Slots = 1
	}
	if h.Slots < 1 || h.Slots > MaxSlots {
		return h, fmt.Errorf("slots %d: want 1 to %d", h.Slots, MaxSlots)
	}
	return h, nil
}

// CheckName returns an error if a bot can't play under that name.
func CheckName(name string) error {
	n := utf8.RuneCountInString(name)
	if n < 1 || n > maxName || strings.TrimSpace(name) != name || strings.ContainsFunc(name, unprintable) {
		return fmt.Errorf("name %.80q: want 1 to %d printable characters, no space at either end", name, maxName)
	}
	return nil
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }
