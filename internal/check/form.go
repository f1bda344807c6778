package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"versus2048/protocol"
	"versus2048/protocol/stdio"
	"versus2048/rules"
	"versus2048/rules/record"
)

// form is one of the two protocols, lines or JSON over WebSocket: it writes the checker's messages and reads the bot's.
type form interface {
	write(m message, s style) string
	frame(text string, s style) []string // the pieces of a text, which are sent one by one
	begin(g game, p rules.Position, s style) message
	ask(g game, p rules.Position, moves []string, left time.Duration, limited bool) message
	end(g game, p rules.Position, ending string) message
	read(text string) said
	named() bool // reports whether answers name their games
}

// saidKind is the kind of a message from the bot.
type saidKind int

const (
	saidUnknown saidKind = iota // ignored
	saidHello
	saidID
	saidOption
	saidPlays
	saidReady
	saidInfo
	saidMove
	saidResign
	saidCannotMove // error TEXT, or cannot_move
	saidError      // any other error message
	saidGoodbye
)

// botOption is an option of a bot that speaks the line protocol.
type botOption = stdio.Option

// said is a message from the bot.
type said struct {
	kind    saidKind
	text    string // of a move, an error, an id or a goodbye
	key     string // of an id
	named   bool   // the answer names its game and its ply
	game    string
	ply     int
	spent   time.Duration
	hello   protocol.Hello
	option  botOption
	games   rules.Variants // the variants that the bot plays
	info    stdio.Info
	search  json.RawMessage
	invalid string        // the problem of the message, "" if it has none
	blame   string        // the check that a wrong message fails, "" for output.valid
	at      time.Duration // when it was read, by the bench's clock
}

// answers reports whether s answers a request.
func (s said) answers() bool {
	return s.kind == saidMove || s.kind == saidResign || s.kind == saidCannotMove
}

// repeats reports whether s says the same as an earlier answer.
func (s said) repeats(earlier said) bool {
	same := earlier.kind != saidUnknown && s.kind == earlier.kind && s.text == earlier.text
	return same && (!s.named || s.game == earlier.game && s.ply == earlier.ply)
}

// lineForm is the line protocol.
type lineForm struct{}

func (lineForm) write(m message, s style) string { return m.line(s) }
func (lineForm) named() bool                     { return false }

func (lineForm) frame(text string, s style) []string {
	end := "\n"
	if s.crlf {
		end = "\r\n"
	}
	if s.spaced {
		end = "\n\n  \n"
	}
	return cut(text+end, s)
}

// cut returns a text in the pieces that the style asks for.
func cut(text string, s style) (pieces []string) {
	if !s.pieces {
		return []string{text}
	}
	for n := 7; len(text) > n; text = text[n:] {
		pieces = append(pieces, text[:n])
	}
	return append(pieces, text)
}

func (lineForm) begin(g game, _ rules.Position, s style) message { return g.newGameLine(s) }

func (lineForm) ask(g game, p rules.Position, moves []string, left time.Duration, limited bool) message {
	last := ""
	if len(moves) > 0 {
		last = moves[len(moves)-1]
	}
	return g.goLine(p, last, left, limited)
}

func (lineForm) end(_ game, p rules.Position, ending string) message {
	return message{word: "over"}.add("score", p.Score()).add("ending", ending)
}

func (lineForm) read(text string) said {
	if !utf8.ValidString(text) {
		return said{invalid: "a line that is not UTF-8"}
	}
	answer, err := stdio.ParseAnswer(text)
	if err != nil {
		return badLine(text, err)
	}
	switch a := answer.(type) {
	case stdio.ID:
		return said{kind: saidID, key: a.Key, text: a.Text}
	case stdio.Option:
		return said{kind: saidOption, option: a}
	case stdio.Plays:
		return said{kind: saidPlays, games: a.Games}
	case stdio.Ready:
		return said{kind: saidReady}
	case stdio.Info:
		return said{kind: saidInfo, info: a}
	case stdio.Move:
		return said{kind: saidMove, text: a.Text}
	case stdio.Resign:
		return said{kind: saidResign}
	case stdio.Error:
		return said{kind: saidCannotMove, text: a.Text}
	}
	return said{}
}

// badLine returns the meaning of a line with a known first word and something wrong after it.
func badLine(text string, err error) said {
	problem := err.Error()
	if wrong := (*stdio.LineError)(nil); errors.As(err, &wrong) {
		problem = wrong.Problem
	}
	switch strings.Fields(text)[0] { // the first word is known: ParseAnswer makes no error of an unknown one
	case "info":
		return said{kind: saidInfo, invalid: problem, blame: "search.valid"}
	case "option":
		return said{kind: saidOption, invalid: problem, blame: "handshake.options"}
	}
	return said{invalid: problem}
}

// objectForm is the WebSocket protocol.
type objectForm struct{}

func (objectForm) write(m message, s style) string                { return m.object(s) }
func (objectForm) frame(text string, s style) []string            { return cut(text, s) }
func (objectForm) named() bool                                    { return true }
func (objectForm) end(g game, p rules.Position, e string) message { return g.overObject(p, e) }

func (objectForm) begin(g game, p rules.Position, s style) message { return g.startObject(p, s) }

func (objectForm) ask(g game, p rules.Position, moves []string, left time.Duration, limited bool) message {
	return g.requestObject(p, moves, left, limited)
}

func (objectForm) read(text string) said {
	m, err := protocol.Decode([]byte(text))
	if err != nil {
		return said{invalid: err.Error()}
	}
	switch m := m.(type) {
	case protocol.Hello:
		return said{kind: saidHello, hello: m}
	case protocol.Move:
		return said{
			kind: saidMove, text: m.Move, named: true, game: m.Game, ply: m.Ply, search: m.Search,
			spent: time.Duration(m.SpentUS) * time.Microsecond,
		}
	case protocol.Resign:
		return said{kind: saidResign, named: true, game: m.Game, ply: m.Ply}
	case protocol.Error:
		if m.Code == protocol.CannotMove && m.Ply != nil {
			return said{kind: saidCannotMove, text: m.Message, named: true, game: m.Game, ply: *m.Ply}
		}
		return said{kind: saidError, text: m.Message}
	case protocol.Goodbye:
		return said{kind: saidGoodbye, text: m.Reason}
	}
	return said{invalid: fmt.Sprintf("a message that only an arena sends: %T", m)}
}

// report returns the bot's report on the search behind an answer, nil if there is none.
func (t *talk) report(answer said) (*record.SearchReport, error) {
	if t.form.named() {
		if answer.search == nil {
			return nil, nil
		}
		var r *record.SearchReport
		err := json.Unmarshal(answer.search, &r)
		return r, err
	}
	var search stdio.Search
	for _, s := range t.infos {
		if s.invalid == "" {
			search.Add(s.info)
		}
	}
	return search.Report(), nil
}
