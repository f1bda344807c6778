package protocol

import (
	"encoding/json"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Subprotocol is the WebSocket subprotocol that both ends must name.
const Subprotocol = "versus2048.v1"

// Message is one frame: any of the message types of this package.
type Message interface{ kind() string }

// Welcome admits a bot.
type Welcome struct {
	Name          string   `json:"name"`            // that it plays under
	PingMS        int64    `json:"ping_ms"`         // how often the arena pings
	GraceMS       int64    `json:"grace_ms"`        // how long the bot may be disconnected
	MaxFrameBytes int64    `json:"max_frame_bytes"` // the longest message that the arena reads
	Games         []string `json:"games"`           // the bot's games in progress, after a reconnect
}

// Refusal is the answer to a hello that is not admitted; the connection closes.
type Refusal struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// Start tells that a game begins, or after a reconnect where it stands.
type Start struct {
	Game     string        `json:"game"`
	Event    string        `json:"event"`
	Match    int           `json:"match"`
	Leg      int           `json:"leg"` // 1 or 2, of the two games of a match
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
	Search   bool          `json:"search,omitempty"` // reports of searches are welcome in the bot's moves

	Budget   players.Effort `json:"budget,omitzero"`     // for each move, where the bot counts so
	MaxTurns int            `json:"max_turns,omitempty"` // the game ends after so many turns; 0: it does not
	MaxTile  int            `json:"max_tile,omitempty"`  // the game ends when such a tile is made; 0: it does not
	Resign   bool           `json:"resign,omitempty"`    // the bot may resign
}

// Clock is a time control in milliseconds; 0 sets no limit.
type Clock struct {
	MoveMS      int64 `json:"move_ms"`      // the longest a move may take
	BaseMS      int64 `json:"base_ms"`      // each side's total for a game
	IncrementMS int64 `json:"increment_ms"` // added to the total after each move
}

// Request asks for a move.
type Request struct {
	Game   string       `json:"game"`
	Ply    int          `json:"ply"` // plies played before the one asked for
	Board  [][]int      `json:"board"`
	Score  int          `json:"score"`
	Moves  []rules.Move `json:"moves"`   // that lead here from the game's last request or start
	LeftMS *int64       `json:"left_ms"` // for this move; nil where nothing limits it
}

// Move answers a request.
type Move struct {
	Game    string `json:"game"`
	Ply     int    `json:"ply"`                // of the request
	Move    string `json:"move"`               // in the notation
	SpentUS int64  `json:"spent_us,omitempty"` // what the bot itself needed; 0 if it does not say
	// Search is a record.SearchReport as it came, null or nil without one. The
	// move counts whatever it is.
	Search json.RawMessage `json:"search,omitempty"`
}

// Resign answers a request by giving the game up, where Start.Resign allows it.
type Resign struct {
	Game string `json:"game"`
	Ply  int    `json:"ply"` // of the request
}

// Over tells that a game has ended. One that is "unfinished" was interrupted:
// it may go on later with another start.
type Over struct {
	Game        string        `json:"game"`
	Ending      record.Ending `json:"ending"`
	Winner      *rules.Side   `json:"winner"`           // the other side of a fault or a resignation, or nil
	Detail      string        `json:"detail,omitempty"` // what the fault was, or why it ended early
	Score       int           `json:"score"`            // the defender's
	LargestTile int           `json:"largest_tile"`
	Plies       int           `json:"plies"`
	Match       MatchScores   `json:"match"`
}

// MatchScores are both bots' scores as defender in a match, as far as known.
type MatchScores struct {
	Number        int  `json:"number"`
	YourScore     *int `json:"your_score"`     // nil while that game is not over
	OpponentScore *int `json:"opponent_score"` // likewise
}

// Error tells the other end what was wrong with a message. It changes nothing,
// but for one of a bot that says CannotMove.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Game    string `json:"game,omitempty"` // that the message named
	Ply     *int   `json:"ply,omitempty"`  // that the message named
}

// Goodbye is the last message before an end closes the connection on purpose.
type Goodbye struct {
	Reason    string `json:"reason,omitempty"`
	Reconnect bool   `json:"reconnect,omitempty"` // from the arena: try again later
}

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
