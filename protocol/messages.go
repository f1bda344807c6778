package protocol

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Subprotocol is the WebSocket subprotocol that both ends must name.
const Subprotocol = "versus2048.v1"

// Message is one frame: any of the message types in this file.
type Message interface{ kind() string }

func (Hello) kind() string   { return "hello" }
func (Welcome) kind() string { return "welcome" }
func (Refusal) kind() string { return "refusal" }
func (Start) kind() string   { return "start" }
func (Request) kind() string { return "request" }
func (Move) kind() string    { return "move" }
func (Resign) kind() string  { return "resign" }
func (Over) kind() string    { return "over" }
func (Error) kind() string   { return "error" }
func (Goodbye) kind() string { return "goodbye" }

// Hello is a bot's first message. Every field except the name is optional.
type Hello struct {
	Name    string `json:"name"`              // 1 to 64 visible characters, as CheckName allows
	Version string `json:"version,omitempty"` // of the bot; this and the next three: up to 200 printable characters
	Author  string `json:"author,omitempty"`
	Spec    string `json:"spec,omitempty"` // the kind of player, with its options
	Token   string `json:"token,omitempty"`
	Slots   int    `json:"slots,omitempty"` // games the bot plays at once, 1 to MaxSlots; 0 means 1
	// Plays are the games that the bot plays; the zero value stands for all.
	Plays rules.Variants `json:"plays,omitzero"`
	// Resume is the secret from the last Welcome. A bot that lost its connection proves its
	// identity with it. It has up to 200 printable characters. "" asks for a secret; nil means that the
	// bot does not use secrets.
	Resume *string `json:"resume,omitempty"`
}

// Welcome admits a bot.
type Welcome struct {
	Name          string   `json:"name"`            // the name from the hello
	PingMS        int64    `json:"ping_ms"`         // the time between two pings of the arena
	GraceMS       int64    `json:"grace_ms"`        // the longest time that the bot may be disconnected
	MaxFrameBytes int64    `json:"max_frame_bytes"` // the length of the longest message that the arena reads
	Games         []string `json:"games"`           // the bot's games in progress, after a reconnect
	// Resume is the secret that the bot presents when it reconnects. Only bots with Resume in their
	// hello get one.
	Resume string `json:"resume,omitempty"`
	// Registered is true if the name has just become the bot's own: from now on it needs the token of the hello.
	Registered bool `json:"registered,omitempty"`
}

// Refusal rejects a hello. The connection closes after it.
type Refusal struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// Start announces a game. After a reconnect it gives the current position of a game in progress.
type Start struct {
	Game     string        `json:"game"`
	Event    string        `json:"event"`
	Match    int           `json:"match"`
	Leg      int           `json:"leg"` // 1 or 2: which of the two games of a match
	Role     rules.Side    `json:"role"`
	Opponent string        `json:"opponent"`
	Rules    rules.Ruleset `json:"rules"`
	Size     rules.Size    `json:"size"`
	Clock    Clock         `json:"clock"`
	Seed     uint64        `json:"seed"` // for the bot's random choices, below 2^53
	Board    [][]int       `json:"board"`
	Score    int           `json:"score"`
	Ply      int           `json:"ply"`
	Resumed  bool          `json:"resumed"`          // the bot may know this game from before
	Search   bool          `json:"search,omitempty"` // the arena records search reports sent with moves

	Budget   players.Effort `json:"budget,omitzero"`     // the fixed effort for each move, zero if the event sets none
	MaxTurns int            `json:"max_turns,omitempty"` // the game ends after this many turns; 0 means no limit
	MaxTile  int            `json:"max_tile,omitempty"`  // the game ends when a tile of this value is made; 0 means no limit
	Resign   bool           `json:"resign,omitempty"`    // the bot may resign
}

// Setup returns the settings of the game for a player in this process.
func (s Start) Setup() players.Game {
	limit := func(ms int64) time.Duration { return time.Duration(min(ms, maxMillis)) * time.Millisecond }
	return players.Game{Seed: s.Seed, Rules: s.Rules, Size: s.Size, Clock: players.Clock{
		PerMove: limit(s.Clock.MoveMS), Base: limit(s.Clock.BaseMS), Increment: limit(s.Clock.IncrementMS),
	}}
}

// maxMillis is the longest time.Duration in milliseconds, about 292 years.
const maxMillis = math.MaxInt64 / int64(time.Millisecond)

// Clock is the form of a [players.Clock] in a message: milliseconds, with 0 for no limit.
type Clock struct {
	MoveMS      int64 `json:"move_ms"`      // the longest time for a move
	BaseMS      int64 `json:"base_ms"`      // each side's total for a game
	IncrementMS int64 `json:"increment_ms"` // added to the total after each move
}

// ClockOf returns the form of a clock in a message.
func ClockOf(c players.Clock) Clock {
	return Clock{c.PerMove.Milliseconds(), c.Base.Milliseconds(), c.Increment.Milliseconds()}
}

// Request asks for a move.
type Request struct {
	Game   string       `json:"game"`
	Ply    int          `json:"ply"` // number of plies played so far
	Board  [][]int      `json:"board"`
	Score  int          `json:"score"`
	Moves  []rules.Move `json:"moves"`   // played since the last request or start of this game
	LeftMS *int64       `json:"left_ms"` // time for this move; nil means no limit
}

// Move answers a request.
type Move struct {
	Game    string `json:"game"`
	Ply     int    `json:"ply"`                // copied from the request
	Move    string `json:"move"`               // in the notation of docs/PROTOCOL.md
	SpentUS int64  `json:"spent_us,omitempty"` // the bot's own thinking time; 0 if unknown
	// Search is a record.SearchReport, kept as received; nil or null if there is none. An invalid report does not make
	// the move invalid.
	Search json.RawMessage `json:"search,omitempty" schema:"SearchReport"`
}

// Resign answers a request by resigning the game, where Start.Resign allows it.
type Resign struct {
	Game string `json:"game"`
	Ply  int    `json:"ply"` // copied from the request
}

// Over announces that a game has ended. A game with the ending "unfinished" was interrupted, and
// another start may resume it later.
type Over struct {
	Game        string        `json:"game"`
	Ending      record.Ending `json:"ending"`
	Winner      *rules.Side   `json:"winner"`           // the winner by a fault or resignation of the other side, or nil
	Detail      string        `json:"detail,omitempty"` // the fault, or the reason for an early end
	Score       int           `json:"score"`            // the defender's
	LargestTile int           `json:"largest_tile"`
	Plies       int           `json:"plies"`
	Moves       []rules.Move  `json:"moves,omitempty"` // the moves from the last request or start to the end
	Match       MatchScores   `json:"match"`
}

// MatchScores holds each bot's score as defender in a match, as far as known.
type MatchScores struct {
	Number        int  `json:"number"`
	YourScore     *int `json:"your_score"`     // nil while that game is not over
	OpponentScore *int `json:"opponent_score"` // nil while that game is not over
}

// Error reports a problem with a message of the other end. It has no further effect, except that a
// bot gives up a game by sending the code CannotMove.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Game    string `json:"game,omitempty"` // the game named in that message
	Ply     *int   `json:"ply,omitempty"`  // the ply named in that message
}

// Goodbye is the last message before one end closes the connection on purpose.
type Goodbye struct {
	Reason    string `json:"reason,omitempty"`
	Reconnect bool   `json:"reconnect,omitempty"` // from the arena: try again later
}

// Code identifies a problem in a form that programs can compare.
type Code string

// The codes of a Refusal.
const (
	BadHello      Code = "bad_hello"      // not a hello, too late, or a field out of range
	NameInUse     Code = "name_in_use"    // a bot of that name is connected, or may come back; try again later
	NameAlike     Code = "name_alike"     // the name looks like the name of a bot that is connected, plays or has a token
	TokenRequired Code = "token_required" // the name needs a token
	BadToken      Code = "bad_token"      // the token does not belong to that name
	InternalError Code = "internal_error" // the arena failed; try again later
	Busy          Code = "busy"           // the arena has no room for another bot; try again later
)

// The codes of an Error. Malformed and UnknownType count as strikes. UnknownGame and NotAsked count as strikes
// if a bot sends more answers than it got requests. The third strike closes the connection.
const (
	Malformed   Code = "malformed"    // not a JSON object of the expected form
	UnknownType Code = "unknown_type" // no message that the sender may send has this type
	UnknownGame Code = "unknown_game" // the bot has no such game in progress
	NotAsked    Code = "not_asked"    // no request is open in that game, or it is for another ply
	NoResign    Code = "no_resign"    // the event does not allow resigning; the request stays open
	BadSearch   Code = "bad_search"   // the search report is invalid; its move counts
	// CannotMove is sent by a bot that has no answer to the request for the named game and ply. The bot gives up the
	// game.
	CannotMove Code = "cannot_move"
)

// Limits bounds the resources that one connection may use. docs/PROTOCOL.md lists these limits, and
// the bounds of each type of message.
type Limits struct {
	MaxFrame    int64         // length in bytes of the longest message that is read
	HelloTime   time.Duration // from the opening of the connection to the hello
	MessageTime time.Duration // from the first byte of a message to its last, however many frames it has
	PingEvery   time.Duration // the time between two pings of the arena
	PongWait    time.Duration // the longest time of silence, or without an answer to pings; must exceed PingEvery
	WriteWait   time.Duration // the longest time for writing a frame
	CloseWait   time.Duration // the longest time for closing the connection
	Queue       int           // messages that may wait to be written, plus 4 for each slot of the bot
	Unasked     int           // messages a second that answer no request, pings included; 0 means no limit
	Bytes       int           // bytes a second that are read; 0 means no limit
}

// DefaultLimits returns the limits stated in docs/PROTOCOL.md.
func DefaultLimits() Limits {
	return Limits{
		MaxFrame:    64 << 10,
		HelloTime:   10 * time.Second,
		MessageTime: 10 * time.Second,
		PingEvery:   5 * time.Second,
		PongWait:    15 * time.Second,
		WriteWait:   5 * time.Second,
		CloseWait:   time.Second,
		Queue:       256,
		Unasked:     50,
		Bytes:       4 << 20,
	}
}

// The limits of the fields of a hello.
const (
	maxField = 200  // characters of a text field other than the name
	MaxSlots = 1024 // games a bot may play at once
)

// checked returns the hello with its defaults filled in, or an error if a field is out of range.
func (h Hello) checked() (Hello, error) {
	if err := CheckName(h.Name); err != nil {
		return h, err
	}
	for _, field := range []struct{ name, text string }{
		{"version", h.Version}, {"author", h.Author}, {"spec", h.Spec}, {"token", h.Token}, {"resume", h.resume()},
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
	if err := h.Plays.Validate(); err != nil {
		return h, fmt.Errorf("plays: %w", err)
	}
	return h, nil
}

// resume returns the secret that the hello presents, "" if it presents none.
func (h Hello) resume() string {
	if h.Resume == nil {
		return ""
	}
	return *h.Resume
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// formatSearch returns s in the form of Move.Search, nil if s is nil. It returns an error if s is no report on p.
func formatSearch(s *record.SearchReport, p rules.Position) (json.RawMessage, error) {
	if s == nil {
		return nil, nil
	}
	if err := s.Check(p); err != nil {
		return nil, err
	}
	return json.Marshal(s)
}

// parseSearch reads a report on p in the form of Move.Search. It returns nil if there is none.
func parseSearch(text json.RawMessage, p rules.Position) (*record.SearchReport, error) {
	if text == nil {
		return nil, nil
	}
	var s *record.SearchReport
	if err := json.Unmarshal(text, &s); err != nil || s == nil {
		return nil, err
	}
	return s, s.Check(p)
}
