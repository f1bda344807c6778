package llm_test

import (
	"context"
	"os"
	"time"

	"versus2048/internal/llm"
	"versus2048/players"
	"versus2048/rules"
)

var _ = func(ctx context.Context, fallback players.Spec, position rules.Position) error {
	endpoint, err := llm.NewEndpoint(llm.Config{URL: "http://localhost:8080/v1", Model: "qwen3", Key: os.Getenv("KEY")})
	if err != nil {
		return err
	}
	prompt, err := llm.NewPrompt("") // the usual prompt
	if err != nil {
		return err
	}
	model := &llm.Model{Endpoint: endpoint, Prompt: prompt, Fallback: fallback, Attempts: 3, Patience: time.Minute}
	if err := model.Check(ctx); err != nil {
		return err // nobody answers there, or the key or the model is wrong
	}
	player := model.New("17", players.Game{Seed: 2048})
	move, err := player.Choose(ctx, position)
	_ = move
	return err
}
