// Package claims is the ledger of this project's claims: one TOML file a claim, with the commands that measure it.
// A verdict is computed from the figure and its interval, and never written by hand:
//
//	ledger, err := claims.Load()
//	if err != nil {
//		log.Fatal(err)
//	}
//	for _, c := range ledger.Claims {
//		fmt.Println(c.Name, c.Figure, ledger.Verdict(c))
//	}
//
// The files and their artefacts are part of the program, so that a stranger can verify them without a clone:
// [Ledger.Verify] runs the commands again. [Ledger.Stale] finds the claims with changed code, and [Ledger.Insert]
// writes figures into documents. docs/CLAIMS.md describes the keys of a file.
package claims
