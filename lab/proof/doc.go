// Package proof decides claims about the game: whether the defender can get at least a score, or the attacker can hold
// the defender below that score. A claim needs far fewer positions than a table of all values, so larger boards come
// within reach.
//
//	prover, err := proof.Open(proof.Config{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2},
//		Memory: 1 << 20, Threads: 1})
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer prover.Close()
//	for _, score := range []int{40, 44} {
//		forced, err := prover.AtLeast(context.Background(), score, nil)
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(score, forced)
//	}
//
// The search is alpha-beta with a null window: it asks of a position whether the defender can still gain g points. A
// table of limited size keeps bounds of the gain to come from each board, up to symmetry. The bounds serve all claims,
// so that one claim helps to decide the next. The table may be a file.
//
// Three functions prove bounds without this search: [ProveByStrategy] a lower bound, [BoundByPolicy] and
// [BoundByFewest] an upper bound.
package proof
