// Package reading compares readings of the paper's description of its player evMiniMax (Oka, Matsuzaki
// and Haraguchi 2015), which leaves open what its search and its evaluation do in detail.
//
//	readings, err := reading.Named([]string{"placements"})
//	if err != nil {
//		log.Fatal(err)
//	}
//	config := reading.Config{Matches: 2, Playouts: 2, Seed: 1, Concurrent: 1}
//	result, err := reading.Play(context.Background(), readings[0], config)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(len(result.MCTS), len(result.Scores))
//
// Every reading meets the bot mcts in both roles. The results are in docs/experiments.md, and
// BenchmarkReading plays them again:
//
//	go test -run '^$' -bench Reading/1000 -benchtime 20x ./lab/experiment/reading
package reading
