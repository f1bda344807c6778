// Package eventreport writes one page about an event: the winner, the tables, the best games, the faults, and the
// command that repeats it. It is a page of HTML that needs no other file, or Markdown for a forum.
//
//	report, err := eventreport.New(ctx, store, 1, nil)
//	if err != nil {
//		return err
//	}
//	err = report.WriteHTML(w, "https://arena.example.org")
//
// Names of bots and events are of strangers: both forms show them as plain text.
package eventreport
