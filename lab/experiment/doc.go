// Package experiment repeats the experiments on two-player 2048 that Oka, Matsuzaki and Haraguchi published in 2015 (the
// paper), and compares the results. It defines the events of each experiment and turns their games into tables and
// plots:
//
//	events, err := experiment.Table1Events(settings)
//	if err != nil {
//		log.Fatal(err)
//	}
//	played, err := experiment.Read(ctx, store, events)
//	if err != nil {
//		log.Fatal(err)
//	}
//	table := experiment.NewTable1(played)
//	if err := table.WriteMarkdown(os.Stdout); err != nil {
//		log.Fatal(err)
//	}
//
// The events are ordinary tournament events, so that anything that plays tournaments can play them. A table can be
// made at any time: for an event in progress it shows the finished games, for an event that has not
// begun an empty row.
//
// [StrengthEvent] and [ContestEvents] define this project's own events, of bots at equal time per move: all against
// all, or two bots and claims about the first one. [Strength] and [Contest] are their reports. [Improvements] measure
// variants of MCTS2, and a [Tuning] changes the options of a bot step by step. A [Reading] is one way to read the
// paper's description of evMiniMax, which leaves open some details of the search and of the evaluation;
// BenchmarkReading plays all of them.
package experiment
