// Package eventreport writes one page about an event: the winner, the tables, the best games, the faults, and the
// command that repeats it. It is a page of HTML that needs no other file, or Markdown for a forum.
//
//	report, err := eventreport.New(ctx, store, 1, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	var page strings.Builder
//	if err := report.WriteHTML(&page, "https://arena.example.org"); err != nil {
//		log.Fatal(err)
//	}
//
// Names of bots and events are of strangers: both forms show them as plain text.
package eventreport
