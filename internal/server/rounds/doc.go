// Package rounds has what an arena's workers do besides matches as clients ask for it: a round of batches, of one kind and
// with one bot, and the lines that tell how it stands.
//
//	round := rounds.Round{Kind: "regret", Bot: "greedy", Batches: batches}
//	if err := round.Validate(); err != nil {
//		return err
//	}
//	rounds.Serve(r.Context(), w, farm, round)
//	return nil
//
// docs/API.md describes the lines.
package rounds
