// Package hosted checks a bot that is connected to a running arena, by events that the arena plays with it.
//
//	client := &server.Client{URL: "http://127.0.0.1:2048"}
//	report, err := hosted.Run(ctx, client, "tiny", check.DefaultSlack)
//	if err != nil {
//		return err
//	}
//	return report.WriteText(os.Stdout)
//
// The arena speaks the protocol itself, so that only what shows in games can be checked: the moves in the
// positions of package check, which are openings of games that end after a turn, and whole games by several clocks.
// Nothing of the events is recorded.
package hosted
