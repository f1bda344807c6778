package viewer

import "strings"

// key is the action of a key of the keyboard in the viewer.
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

// sequences are the bytes that terminals send for keys. No sequence is the beginning of another one.
var sequences = []struct {
	text string
	key  key
}{
	{"\x1b[C", keyNext},
	{"\x1bOC", keyNext},
	{"\x1b[D", keyBack},
	{"\x1bOD", keyBack},
	{"\x1b[B", keyPageForward},
	{"\x1bOB", keyPageForward},
	{"\x1b[A", keyPageBack},
	{"\x1bOA", keyPageBack},
	{"\x1b[6~", keyPageForward},
	{"\x1b[5~", keyPageBack},
	{"\x1b[H", keyFirst},
	{"\x1bOH", keyFirst},
	{"\x1b[1~", keyFirst},
	{"\x1b[7~", keyFirst},
	{"\x1b[F", keyLast},
	{"\x1bOF", keyLast},
	{"\x1b[4~", keyLast},
	{"\x1b[8~", keyLast},
	{"\r", keyNext},
	{"\n", keyNext},
	{"l", keyNext},
	{"b", keyBack},
	{"h", keyBack},
	{"j", keyPageForward},
	{"k", keyPageBack},
	{"g", keyFirst},
	{"G", keyLast},
	{" ", keyPlay},
	{"+", keyFaster},
	{"=", keyFaster},
	{"-", keySlower},
	{"n", keyNextMark},
	{"p", keyPreviousMark},
	{"s", keySearch},
	{"q", keyQuit},
	{"\x03", keyQuit},
	{"\x04", keyQuit},
}

// parseKeys returns the keys in the bytes that a terminal has sent. An escape alone quits; unknown sequences are left
// out.
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

// parseKey returns the first key and the number of its bytes.
func parseKey(sent string) (k key, length int) {
	for _, s := range sequences {
		if strings.HasPrefix(sent, s.text) {
			return s.key, len(s.text)
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
