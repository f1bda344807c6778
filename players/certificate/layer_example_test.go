package certificate_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"

	"versus2048/players/certificate"
	"versus2048/rules"
)

func ExampleLayerWriter() {
	size := rules.Size{Width: 3, Height: 2}
	var file bytes.Buffer
	out, err := certificate.NewLayerWriter(&file, size, "an example\n")
	if err != nil {
		log.Fatal(err)
	}
	board := rules.Board(0).With(0, 1).With(1, 2) // a 2 and a 4
	if err := errors.Join(out.Write(certificate.Layer{Sum: 6, Boards: []rules.Board{board}}), out.Close()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Boards(), certificate.NewBoardSet([]rules.Board{board}).Has(board))
	// Output: 1 true
}
