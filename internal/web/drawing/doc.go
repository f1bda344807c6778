// Package drawing makes the pictures of the pages: boards as SVG and as animated GIF, cards for links to
// pages, and the charts of an event.
//
//	artist, err := drawing.NewArtist()
//	if err != nil {
//		return err
//	}
//	positions := []rules.Position{start, start.Next(move)}
//	film, err := artist.GIF(drawing.Film{Attacker: "ann", Defender: "bob", Positions: positions, Width: drawing.UsualFilm})
//
// A chart has the data for a page's template, which makes SVG or a table of it: coordinates, shades and labels.
package drawing
