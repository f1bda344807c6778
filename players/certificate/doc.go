// Package certificate writes and reads certificates: files that prove a claim about the
// game, such as that the defender can get at least 40 points from the empty board.
//
//	var file bytes.Buffer
//	header := certificate.Header{Rules: rules.GPCC2016, Size: rules.Size{Width: 2, Height: 2},
//		Claimant: rules.Attacker, Score: 400}
//	writer, err := certificate.NewWriter(&file, header)
//	if err != nil {
//		log.Fatal(err)
//	}
//	first := certificate.Covered{Board: 0, Gain: 400, Move: rules.Place(0, false)}
//	if err := writer.Write(first); err != nil {
//		log.Fatal(err)
//	}
//	if err := writer.Close(); err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(header, writer.Positions())
//
// docs/PROOFS.md has the format. The package lab/proof/check decides whether a certificate proves its claim. It
// shares no code with this package.
package certificate
