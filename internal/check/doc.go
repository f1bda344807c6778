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
// A Check is one demand on a bot. Run tries all of them, whether earlier ones fail or not, and its Report has
// for each failure the last lines of the conversation. Some demands are about every answer, such as the
// notation: a mistake of that kind counts against the check for it, even while another check runs, so that a bot
// with one fault fails one check.
//
// A LineBot is a program, which is started for each conversation; a SocketBot connects to the checker, which
// listens as an arena does. A conversation (talk) writes and reads the form of its medium, so that most checks
// are written once for both. A bench checks one bot, in one conversation after the other.
package check
