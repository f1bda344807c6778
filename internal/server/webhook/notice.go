package webhook

import (
	"encoding/json"
	"strings"
	"time"
)

// Notice is a message to an address.
type Notice struct {
	Type  string    `json:"type"`
	Time  time.Time `json:"timestamp"`
	Arena string    `json:"arena,omitempty"` // the address of its pages
	Text  string    `json:"text"`            // a sentence for people
	Data  any       `json:"data,omitempty"`  // depends on the type
	// Missed is how many notices were lost before this one, since the queue of the address was full or the address did
	// not accept them in time.
	Missed int `json:"missed,omitempty"`
}

// Form is the form of the bodies that an address understands.
type Form string

// The forms.
const (
	JSON    Form = ""        // the whole notice
	Slack   Form = "slack"   // {"text": ...}: Slack, Mattermost, Rocket.Chat, Google Chat
	Discord Form = "discord" // {"content": ...}
)

// longestChat is the largest number of characters that Discord accepts.
const longestChat = 2000

// body returns the body of a request that carries a notice.
func (f Form) body(n Notice) ([]byte, error) {
	switch f {
	case Slack:
		return json.Marshal(map[string]string{"text": harmless.Replace(chat(n))})
	case Discord:
		return json.Marshal(map[string]any{"content": chat(n), "allowed_mentions": map[string][]string{"parse": {}}})
	}
	return json.Marshal(n)
}

// chat returns the text of a notice, and the address of the arena that sends it.
func chat(n Notice) string {
	text := n.Text
	if n.Arena != "" {
		text += "\n" + n.Arena
	}
	if runes := []rune(text); len(runes) > longestChat {
		text = string(runes[:longestChat-1]) + "…"
	}
	return text
}

// harmless keeps the names of bots from calling a whole channel: chats recognise mentions and links by these characters
// (https://api.slack.com/reference/surfaces/formatting).
var harmless = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@\u200b")
