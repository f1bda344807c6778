package certificate_test

import (
	"bytes"
	"fmt"
	"log"

	"versus2048/players/certificate"
	"versus2048/rules"
)

func Example() {
	var file bytes.Buffer
	header := certificate.Header{Rules: rules.GPCC2016, Size: rules.Size{Width: 2, Height: 2}, Claimant: rules.Attacker, Score: 400}
	writer, err := certificate.NewWriter(&file, header)
	if err != nil {
		log.Fatal(err)
	}
	first := certificate.Covered{Board: 0, Gain: 400, Move: rules.Place(0, false)}
	if err := writer.Write(first); err != nil {
		log.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(header, writer.Positions())
	// Output: gpcc2016 2x2 below 400 1
}
