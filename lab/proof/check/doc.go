// Package check decides whether a certificate proves its claim about the game.
//
//	result, err := check.File(ctx, bytes.NewReader(certificate), 2, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(result.Claim, result.Positions)
//
// The package shares no code with the programs that make certificates, so a reader can trust the check without reading
// those programs. check.go and coarse.go explain why the checks prove the claim, each for one kind of certificate.
// docs/PROOFS.md has the formats.
package check
