// Package check decides whether a certificate proves its claim about the game.
//
//	result, err := check.File(ctx, bytes.NewReader(certificate), 2, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(result.Claim, result.Positions)
//
// It shares no code with the programs that make certificates. So a reader who wants to trust it
// need not read them. check.go and coarse.go explain why the checks prove the claim, each for one
// kind of certificate. docs/PROOFS.md has the formats.
package check
