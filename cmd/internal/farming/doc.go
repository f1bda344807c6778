// Package farming has the workers of a running arena do what a command would do itself.
//
//	work := farming.Work{Client: client, Kind: chore.Regret, Bot: "greedy", Title: "greedy", Messages: os.Stderr}
//	results, err := farming.Do[chore.MovesSettings, chore.Moves](ctx, work, chore.NewMoves(sample))
//
// The results are in the order of the batches. If the arena is gone for a while, what it has not answered is asked again.
package farming
