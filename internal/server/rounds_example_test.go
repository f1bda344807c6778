package server_test

import (
	"encoding/json"
	"net/http"

	"versus2048/internal/server"
)

func ExampleServeRound() {
	_ = func(w http.ResponseWriter, r *http.Request, farm server.RoundFarm, batches []json.RawMessage) error {
		round := server.Round{Kind: "regret", Bot: "greedy", Batches: batches}
		if err := round.Validate(); err != nil {
			return err
		}
		server.ServeRound(r.Context(), w, farm, round)
		return nil
	}
}
