// Package experiment plays the published experiments on two-player 2048 again
// and holds what comes of them against the paper. It says which events an
// experiment consists of, and makes tables and plots of their games:
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
// The events are ordinary ones: whoever plays tournaments plays them, and an
// event that is not finished, or not even begun, makes a table all the same.
package experiment
