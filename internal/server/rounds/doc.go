// Package rounds serves the work of an arena's workers besides matches: a client asks for a round of batches, of one
// kind and with one bot, and gets lines about its progress.
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
