// Package archive remembers the events for the pages: lists of them and of their games, their statistics and their
// pairings.
//
//	events := archive.New(store, arena)
//	x, err := events.Event(ctx, 17, events.Patience)
//	if err != nil {
//		return err
//	}
//	if x.Statistics != nil {
//		fmt.Println(x.Line.Name, x.Statistics.Rated("greedy"))
//	}
//
// A finished event is read and computed once, and again only after a change of recorded events, such as a voided match.
// The statistics of an event that is being played are computed again as games are finished, but never for more than a
// twentieth of the time.
//
// [Lists] reads the standing lists of a database (see tournament/standing), again only when games have ended or results
// were taken back.
//
// A [Report] is one page about an event: the winner, the tables, the best games, the faults, and the command that plays
// the event once more. The page is HTML that needs no other file, or Markdown for a forum. Strangers choose the names of
// bots and events: both forms show these names as plain text.
package archive
