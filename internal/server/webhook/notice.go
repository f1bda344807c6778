package webhook

import (
	"encoding/json"
	"strings"
	"time"
)

// Notice is one thing that an address is told.
type Notice struct {
	Type  string    `json:"type"`
	Time  time.Time `json:"timestamp"`
	Arena string    `json:"arena,omitempty"` // the address of its pages
	Text  string    `json:"text"`            // a sentence for people
	Data  any       `json:"data,omitempty"`  // by the type
	// Missed is how many notices were lost before this one, since the queue of the address was full or
	// the address did not take them in time.
	Missed int `json:"missed,omitempty"`
}

// Form is what an address understands.
type Form string

// The forms.
const (
	JSON    Form = ""        // the whole notice
	Slack   Form = "slack"   // {"text": ...}: Slack, Mattermost, Rocket.Chat, Google Chat
	Discord Form = "discord" // {"content": ...}
)

// longestChat is the most characters that Discord takes.
const longestChat = 2000

// body returns the body of the request that tells a notice.
func (f Form) body(n Notice) ([]byte, error) {
	switch f {
	case Slack:
		return json.Marshal(map[string]string{"text": harmless.Replace(chat(n))})
	case Discord:
		return json.Marshal(map[string]any{"content": chat(n), "allowed_mentions": map[string][]string{"parse": {}}})
	}
	return json.Marshal(n)
}

// chat returns the text of a notice with the arena that tells it.
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

// harmless keeps the names of bots from calling a whole channel: what a chat takes for a mention or a
// link begins with one of these characters (https://api.slack.com/reference/surfaces/formatting).
var harmless = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@\u200b")
