package claims_test

import (
	"fmt"
	"log"

	"versus2048/lab/claims"
)

func Example() {
	ledger, err := claims.Load()
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range ledger.Claims {
		fmt.Println(c.Name, c.Figure, ledger.Verdict(c))
	}
}
