package parquet

import "time"

// The names of the files that hold the tables.
const (
	GamesFile    = "games.parquet"
	PliesFile    = "plies.parquet"
	SearchesFile = "searches.parquet"
)

// Game is a row of the table of games.
type Game struct {
	Game         int64     `parquet:"game"` // its number in the database
	Event        string    `parquet:"event,dict"`
	Match        int32     `parquet:"match"` // its number in the event, from 1
	Round        int32     `parquet:"round"` // from 1
	Nth          int32     `parquet:"nth"`   // counts the matches of the two bots, from 1
	Leg          int32     `parquet:"leg"`   // 1 or 2
	First        string    `parquet:"first,dict"`
	Second       string    `parquet:"second,dict"`
	Attacker     string    `parquet:"attacker,dict"`
	Defender     string    `parquet:"defender,dict"`
	AttackerSeed int64     `parquet:"attacker_seed"` // 0 to 2^53-1
	DefenderSeed int64     `parquet:"defender_seed"` // 0 to 2^53-1
	Rules        string    `parquet:"rules,dict"`
	Size         string    `parquet:"size,dict"`  // columns x rows, "2x2" to "4x4"
	Start        string    `parquet:"start,dict"` // as text, with its side, score and ply
	Started      time.Time `parquet:"started,timestamp(microsecond)"`
	Finished     time.Time `parquet:"finished,optional,timestamp(microsecond)"` // null while the game is in progress
	Ending       string    `parquet:"ending,dict"`
	Winner       string    `parquet:"winner,optional,dict"` // "attacker", "defender" or null
	Detail       string    `parquet:"detail"`
	Plies        int32     `parquet:"plies"`
	Score        int32     `parquet:"score"`        // the defender's
	LargestTile  int32     `parquet:"largest_tile"` // 0 on an empty board
	Scored       bool      `parquet:"scored"`       // the score counts in the event's statistics
}

// Ply is a row of the table of plies: a move, and the position before it.
type Ply struct {
	Game    int64  `parquet:"game,delta"`
	Ply     int32  `parquet:"ply,delta"`   // the index of the move in its game, from 0
	Side    string `parquet:"side,dict"`   // "attacker" or "defender"
	Player  string `parquet:"player,dict"` // its name
	Board   []byte `parquet:"board"`       // the exponents of the tiles, row by row from the top; 0 is empty
	Score   int32  `parquet:"score"`       // the defender's, before the move
	Move    string `parquet:"move,dict"`
	Gained  int32  `parquet:"gained"`   // the points of the move
	TimeUS  *int64 `parquet:"time_us"`  // null if unknown
	LagUS   *int64 `parquet:"lag_us"`   // null if unknown
	StallUS int64  `parquet:"stall_us"` // the time that the clock stood still because the arena stalled
	AwayUS  int64  `parquet:"away_us"`  // the time that the clock stood still because the bot was disconnected
}

// Search is a row of the table of searches: a player's report on the search for a move. Null stands
// for unknown.
type Search struct {
	Game          int64      `parquet:"game,delta"`
	Ply           int32      `parquet:"ply,delta"` // as in Ply
	Playouts      int64      `parquet:"playouts,optional"`
	Nodes         int64      `parquet:"nodes,optional"`
	Expanded      []int64    `parquet:"expanded,list"` // positions expanded, by depth from 0
	TimeUS        int64      `parquet:"time_us,optional"`
	CPUUS         int64      `parquet:"cpu_us,optional"`
	TokensRead    int64      `parquet:"tokens_read,optional"`    // by a language model: its prompts
	TokensWritten int64      `parquet:"tokens_written,optional"` // by a language model: its answers
	Source        string     `parquet:"source,optional"`         // the basis of the move, "proof" or "search"
	PV            []string   `parquet:"pv,list"`
	Moves         []RootMove `parquet:"moves,list"` // the best one first
}

// RootMove is the result of a search for one move of the position.
type RootMove struct {
	Move   string  `parquet:"move"`
	Value  float64 `parquet:"value"` // in points of the final score, unless the player uses another scale
	Visits int64   `parquet:"visits,optional"`
	Mate   int32   `parquet:"mate,optional"` // plies until the game is over; null if the search has not seen that
	// Prior is the share of the move in the policy that guided the search, up to 1; null if it is 0 or there is none.
	Prior float64 `parquet:"prior,optional"`
}
