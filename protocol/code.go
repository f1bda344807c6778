package protocol

// Code says what was wrong, for a program.
type Code string

// The codes of a Refusal.
const (
	BadHello      Code = "bad_hello"      // not a hello, too late, or a field out of range
	NameInUse     Code = "name_in_use"    // a bot of that name is connected
	TokenRequired Code = "token_required" // the name needs a token
	BadToken      Code = "bad_token"      // the token is not that name's
	InternalError Code = "internal_error" // the arena failed; try again later
)

// The codes of an Error. The first two are strikes: the third closes the
// connection.
const (
	Malformed   Code = "malformed"    // not a JSON object of that form
	UnknownType Code = "unknown_type" // the type is not in the protocol
	UnknownGame Code = "unknown_game" // no such game of this bot is in progress
	NotAsked    Code = "not_asked"    // nothing is asked there, or for another ply
	NoResign    Code = "no_resign"    // the event takes no resignations; the request stays open
	BadSearch   Code = "bad_search"   // the report with a move is none; the move counts
	// CannotMove is said by a bot that has no answer to the request for the
	// named game and ply: it gives the game up.
	CannotMove Code = "cannot_move"
)
