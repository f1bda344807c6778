// Package check finds out whether a bot keeps to the protocols: the line protocol of docs/STDIO.md or the
// WebSocket protocol of docs/PROTOCOL.md.
//
//	bot := check.NewLineBot([]string{"bot", "stdio", "greedy"})
//	report, err := check.Run(ctx, bot, check.Options{Slack: check.DefaultSlack})
//	if err != nil {
//		return err
//	}
//	for _, id := range report.Failures() {
//		fmt.Println("failed:", id)
//	}
//	return report.WriteText(os.Stdout)
//
// A Check is one demand on a bot. Run tries all checks, even after one has failed. Its Report shows the last lines
// of the conversation before each failure. Some demands, such as the one on the notation, are about every answer. A
// mistake in the notation fails the check of the notation, even if another check was running: so a bot with one
// fault fails one check.
//
// A LineBot is a program, which is started for each conversation; a SocketBot connects to the checker, which
// listens as an arena does. A conversation (talk) hides which of the two protocols the bot speaks, so most checks are
// written once for both. A bench checks one bot, in one conversation after the other.
package check
