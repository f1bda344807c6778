package llm

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"versus2048/rules"
)

// ErrUnreadable means that an answer does not name one move.
var ErrUnreadable = errors.New("no single move can be read from the answer")

// ReadMove reads the move from a model's answer: from the JSON object that was asked for, also with text around it,
// or from a text that names only one move, in its last line or in all its lines. It returns ErrUnreadable for any
// other answer, and a *rules.IllegalMoveError for a move that is illegal in p.
func ReadMove(answer string, p rules.Position) (rules.Move, error) {
	if i := strings.LastIndex(answer, endOfThought); i >= 0 {
		answer = answer[i+len(endOfThought):]
	}
	answer = strings.TrimSpace(answer)
	if strings.Contains(answer, beginOfThought) {
		return 0, ErrUnreadable // a thought that was cut off
	}
	m, ok := moveInJSON(answer)
	if !ok {
		m, ok = moveInText(answer[strings.LastIndex(answer, "\n")+1:])
	}
	if !ok {
		m, ok = moveInText(answer)
	}
	if !ok {
		return 0, ErrUnreadable
	}
	_, err := p.Play(m)
	return m, err
}

// The marks of many models around their reasoning, which comes before their answer.
const beginOfThought, endOfThought = "<think>", "</think>"

// mostDecoded is the number of bytes that moveInJSON decodes before it tries no further objects. An answer may have
// thousands of objects that do not end, and each of them reaches to the end of the text.
const mostDecoded = 1 << 20

// moveInJSON returns the move of a text's last JSON object with the field move.
func moveInJSON(text string) (m rules.Move, ok bool) {
	decoded := 0
	for i := strings.LastIndex(text, "{"); i >= 0 && decoded < mostDecoded; i = strings.LastIndex(text[:i], "{") {
		decoded += len(text) - i
		var object struct{ Move *string }
		if json.NewDecoder(strings.NewReader(text[i:])).Decode(&object) == nil && object.Move != nil {
			return parseMove(*object.Move)
		}
	}
	return 0, false
}

// words are the names of slides besides the notation.
var words = map[string]rules.Move{
	"north": rules.North, "south": rules.South, "west": rules.West, "east": rules.East,
	"up": rules.North, "down": rules.South, "left": rules.West, "right": rules.East,
}

// parseMove reads a move in the notation, or in a form that people take for the same.
func parseMove(text string) (rules.Move, bool) {
	text = strings.Trim(strings.Join(strings.Fields(text), ""), `"'.*`+"`")
	if m, ok := words[strings.ToLower(text)]; ok {
		return m, true
	}
	text = "(" + strings.Trim(text, "()") + ")"
	if len(text) == len("(N)") {
		text = strings.ToUpper(strings.Trim(text, "()"))
	}
	text = strings.Replace(text, ",2)", ")", min(1, max(0, len(text)-len("(1,1)")))) // a placement may name its 2
	m, err := rules.ParseMove(text)
	return m, err == nil
}

// named matches a move in a text.
var named = regexp.MustCompile(`\(\s*\d\s*,\s*\d\s*(?:,\s*\d\s*)?\)|\b(?:[NSWE]|(?i:north|south|west|east|up|down|left|right))\b`)

// moveInText returns the move that a text names, if it names only one.
func moveInText(text string) (m rules.Move, ok bool) {
	for _, name := range named.FindAllString(text, -1) {
		next, valid := parseMove(name)
		if !valid || ok && next != m {
			return 0, false
		}
		m, ok = next, true
	}
	return m, ok
}
