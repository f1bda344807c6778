// Dataset writes a dataset of games: a round-robin of the bots of docs/RATINGS.md from drawn openings, as Parquet
// files with a card in the style of Hugging Face, a licence and checksums.
//
//	go run ./deploy/dataset --openings 10 --seed 1 --out dist/dataset
//
// All of it follows from the settings and the commit, byte by byte: times, which do not, are left out. It runs in the
// repository, and needs Go alone.
package main
