package check_test

import (
	"bytes"
	_ "embed"
	"fmt"
	"log"

	"versus2048/analysis/proof/check"
)

// The defender can get at least 40 points on 3x2 under gpcc2016.
//
//go:embed testdata/at-least.proof
var certificate40 []byte

func Example() {
	certificate := certificate40
	result, err := check.File(bytes.NewReader(certificate), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Claim, result.Positions)
	// Output: gpcc2016 3x2 at-least 40 272
}
