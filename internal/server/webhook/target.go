package webhook

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
)

// Target is an address that is told. It is a secret: whoever knows the address of a chat can write
// there. Its String can be shown.
type Target struct {
	form    Form
	address *url.URL
	nth     int // of the targets that are shown alike; 0 for the first
}

// ParseTarget reads an address, http or https, which may follow the form of its bodies: slack=URL or
// discord=URL. Errors do not have the address.
func ParseTarget(text string) (Target, error) {
	var t Target
	for _, form := range []Form{Slack, Discord} {
		if rest, found := strings.CutPrefix(text, string(form)+"="); found {
			t.form, text = form, rest
		}
	}
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" || address.Fragment != "" {
		return t, errors.New("an address of a webhook is not one: want https://HOST/PATH, slack=https://HOST/PATH or discord=https://HOST/PATH")
	}
	t.address = address
	return t, nil
}

// String returns the address without what may be secret: its user, path and query. Of the targets of Hooks no
// two have the same: chats of one service differ only in what is secret.
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
