// Package drawing makes the pictures of the pages: boards as SVG and as animated GIF, cards for links to pages, and
// the charts of an event.
//
//	artist, err := drawing.NewArtist()
//	if err != nil {
//		return err
//	}
//	positions := []rules.Position{start, start.Next(move)}
//	film, err := artist.GIF(drawing.Film{Attacker: "ann", Defender: "bob", Positions: positions, Width: drawing.UsualFilm})
//
// A chart has coordinates, shades and labels. A page's template makes SVG or a table of them.
package drawing
