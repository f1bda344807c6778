// Package layers has the work of proofs that go from the largest sum of tiles down: its sharing among
// threads, and files of states that keep the layers, as certificates have them.
//
//	size := rules.Size{Width: 3, Height: 2}
//	var file bytes.Buffer
//	out, err := certificate.NewLayerWriter(&file, size, "an example\n")
//	if err != nil {
//		log.Fatal(err)
//	}
//	board := rules.Board(0).With(0, 1).With(1, 2) // a 2 and a 4
//	if err := errors.Join(out.Write(certificate.Layer{Sum: 6, Boards: []rules.Board{board}}), out.Close()); err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(out.Boards(), certificate.NewBoardSet([]rules.Board{board}).Has(board))
//
// A proof that goes backwards, from the largest sum of tiles down, needs the layers of the next sums only,
// which is why a file has them by falling sums. Packages coarse and tidy make such proofs.
package layers
