package drawing_test

import (
	"versus2048/internal/web/drawing"
	"versus2048/rules"
)

func Example() {
	write := func(start rules.Position, move rules.Move) error {
		artist, err := drawing.NewArtist()
		if err != nil {
			return err
		}
		positions := []rules.Position{start, start.Next(move)}
		film, err := artist.GIF(drawing.Film{Attacker: "ann", Defender: "bob", Positions: positions, Width: drawing.UsualFilm})
		_ = film
		return err
	}
	_ = write
	// Output:
}
