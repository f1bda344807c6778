// Package evening is the command host: it plans a club evening, opens an arena with a lobby for it, shows the lobby and
// the event on the terminal, and resumes an evening that was interrupted.
//
//	commands := append(commands, evening.Command(evening.Parts{ParseEvent: parseConfig, Show: showEvent}))
//
// The plan is in a file beside the database, so that the same command finds it again.
package evening
