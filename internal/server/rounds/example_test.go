package rounds_test

import (
	"encoding/json"
	"net/http"

	"versus2048/internal/server/rounds"
)

func Example() {
	_ = func(w http.ResponseWriter, r *http.Request, farm rounds.Farm, batches []json.RawMessage) error {
		round := rounds.Round{Kind: "regret", Bot: "greedy", Batches: batches}
		if err := round.Validate(); err != nil {
			return err
		}
		rounds.Serve(r.Context(), w, farm, round)
		return nil
	}
}
