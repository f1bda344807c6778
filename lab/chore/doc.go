// Package chore defines the batches that the workers of an arena's farm do besides matches: moves in positions
// of a sample, for lab regret, and games of AlphaZero's search against itself, for lab train az-games.
//
//	worker := farm.Worker{
//		Card: farm.Card{Worker: "w1", Version: "v1", Print: farm.Fingerprint(), Games: 1},
//		NATS: conn, Log: slog.Default(), Chores: chore.OfWorkers(),
//	}
//	return worker.Run(ctx)
//
// The settings and the results of a batch are JSON: MovesSettings and MovesResult, GamesSettings and
// GamesResult.
//
// [PlayGames] plays games of AlphaZero's search against itself in this process. Many games are played at once, so that
// their searches share the batches of a network. A game depends only on the settings, its number and the network, and
// not on the number of games at once. [WriteGames] stores the games as a safetensors file, so that Python can learn
// from them.
package chore
