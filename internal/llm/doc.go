// Package llm lets a language model play. It asks an endpoint of OpenAI's chat completions for each move. If the model
// gives no legal move in time, a bot of this project chooses the move.
//
//	endpoint, err := llm.NewEndpoint(llm.Config{URL: "http://localhost:8080/v1", Model: "qwen3", Key: os.Getenv("KEY")})
//	if err != nil {
//		return err
//	}
//	prompt, err := llm.NewPrompt("") // the usual prompt
//	if err != nil {
//		return err
//	}
//	model := &llm.Model{Endpoint: endpoint, Prompt: prompt, Fallback: fallback, Attempts: 3, Patience: time.Minute}
//	if err := model.Check(ctx); err != nil {
//		return err // nobody answers there, or the key or the model is wrong
//	}
//	player := model.New("17", players.Game{Seed: 2048})
//	move, err := player.Choose(ctx, position)
//
// A key is only in the header of requests: it is taken out of every text that the endpoint sends.
package llm
