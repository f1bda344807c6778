package viewer

import "strings"

// key is the viewer's action for a key of the keyboard.
type key int

const (
	keyUnknown key = iota
	keyNext
	keyBack
	keyPageForward
	keyPageBack
	keyFirst
	keyLast
	keyPlay
	keyFaster
	keySlower
	keyNextMark
	keyPreviousMark
	keySearch
	keyQuit
)

// sequences are the bytes that terminals send for each key. No sequence is the beginning of another one.
var sequences = map[key][]string{
	keyNext:         {"\x1b[C", "\x1bOC", "\r", "\n", "l"},
	keyBack:         {"\x1b[D", "\x1bOD", "b", "h"},
	keyPageForward:  {"\x1b[B", "\x1bOB", "\x1b[6~", "j"},
	keyPageBack:     {"\x1b[A", "\x1bOA", "\x1b[5~", "k"},
	keyFirst:        {"\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~", "g"},
	keyLast:         {"\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~", "G"},
	keyPlay:         {" "},
	keyFaster:       {"+", "="},
	keySlower:       {"-"},
	keyNextMark:     {"n"},
	keyPreviousMark: {"p"},
	keySearch:       {"s"},
	keyQuit:         {"q", "\x03", "\x04"},
}

// parseKeys returns the keys in the bytes that a terminal has sent. An escape at the end of sent is keyQuit. parseKeys
// leaves out unknown sequences.
func parseKeys(sent string) (keys []key) {
	for sent != "" {
		k, length := parseKey(sent)
		if k != keyUnknown {
			keys = append(keys, k)
		}
		sent = sent[length:]
	}
	return keys
}

// parseKey returns the first key in sent, or keyUnknown for an unknown sequence, and the number of its bytes.
func parseKey(sent string) (k key, length int) {
	for k, texts := range sequences {
		for _, text := range texts {
			if strings.HasPrefix(sent, text) {
				return k, len(text)
			}
		}
	}
	switch {
	case sent == "\x1b":
		return keyQuit, 1
	case strings.HasPrefix(sent, "\x1b[") || strings.HasPrefix(sent, "\x1bO"):
		end := strings.IndexFunc(sent[2:], func(r rune) bool { return r >= '@' && r <= '~' })
		if end < 0 {
			return keyUnknown, len(sent)
		}
		return keyUnknown, end + 3
	}
	return keyUnknown, 1
}
