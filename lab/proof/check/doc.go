// Package check decides whether a certificate proves its claim about the game.
//
//	result, err := check.File(ctx, bytes.NewReader(certificate), nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(result.Claim, result.Positions)
//
// It shares no code with the programs that make certificates: its file check.go can be
// read, and trusted, by itself, and so can coarse.go, for certificates from coarse boards.
// docs/PROOFS.md has the formats.
package check
