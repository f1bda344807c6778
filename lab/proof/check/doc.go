// Package check decides whether a certificate proves its claim about the game.
//
//	result, err := check.File(ctx, bytes.NewReader(certificate), 2, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(result.Claim, result.Positions)
//
// It shares no code with the programs that make certificates, and can be read, and trusted, by
// itself: check.go and coarse.go have the argument for each kind of certificate. docs/PROOFS.md
// has the formats.
package check
