package webhook

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
)

// Target is an address that gets notices. It is a secret: everybody who knows the address of a chat can write there.
// Its String can be shown.
type Target struct {
	form    Form
	address *url.URL
	nth     int // number among the targets that are shown alike; 0 for the first
}

// ParseTarget reads an address, http or https, with an optional form of its bodies before it: slack=URL or discord=URL.
// Errors do not contain the address.
func ParseTarget(text string) (Target, error) {
	var t Target
	for _, form := range []Form{Slack, Discord} {
		if rest, found := strings.CutPrefix(text, string(form)+"="); found {
			t.form, text = form, rest
		}
	}
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" || address.Fragment != "" {
		return t, errors.New("an address of a webhook is no URL: want https://HOST/PATH, slack=https://HOST/PATH or discord=https://HOST/PATH")
	}
	t.address = address
	return t, nil
}

// String returns the address without the parts that may be secret: its user, path and query. All targets of Hooks have
// different texts: where the texts of two targets would be the same, a number is added.
func (t Target) String() string {
	shown := t.address.Scheme + "://" + t.address.Host
	if t.address.User != nil || len(t.address.Path) > 1 || t.address.RawQuery != "" {
		shown += "/..."
	}
	if t.nth > 0 {
		shown += fmt.Sprintf(" (number %d)", t.nth+1)
	}
	return shown
}

// LogValue is for slog.
func (t Target) LogValue() slog.Value { return slog.StringValue(t.String()) }
