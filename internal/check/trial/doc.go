// Package trial lets a program play a few matches against bots whose strength is known, and says in sentences
// what its author may look at next.
//
//	report, err := trial.Run(ctx, trial.Config{
//		Command:   []string{"python3", "me.py"},
//		Opponents: []string{"greedy", "evminimax"},
//		Matches:   10,
//		Clock:     tournament.Clock{PerMove: 100 * time.Millisecond},
//		Size:      rules.Full,
//	})
//	if err != nil {
//		return err
//	}
//	for _, sentence := range report.Advice() {
//		fmt.Println(sentence)
//	}
//
// The games are played as in an event: a tournament.Referee keeps the clock, and an arena/program.Bot plays
// for the program.
// They are played one after the other, so that the machine has time for both sides.
package trial
