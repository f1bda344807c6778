package check_test

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"log"

	"versus2048/lab/proof/check"
)

// The defender can get at least 40 points on 3x2 under gpcc2016.
//
//go:embed testdata/at-least.proof
var certificate40 []byte

func Example() {
	ctx, certificate := context.Background(), certificate40
	result, err := check.File(ctx, bytes.NewReader(certificate), 2, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Claim, result.Positions)
	// Output: gpcc2016 3x2 at-least 40 272
}
