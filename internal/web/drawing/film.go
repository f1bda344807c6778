package drawing

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"strconv"

	"versus2048/internal/text/plain"
	"versus2048/rules"
)

// The least, the usual and the greatest width of an animation, in pixels.
const (
	LeastFilm = 160
	UsualFilm = 440
	MostFilm  = 520
)

// Film is a part of a game for an animation. The animation shows the board, and above it the names of both sides, the
// score and the ply.
type Film struct {
	Attacker, Defender string
	Positions          []rules.Position // in the order of plies, at least one
	Width              int              // from LeastFilm to MostFilm; the picture may be a few pixels smaller
}

// The delays of an animation, in hundredths of a second. A ply has two small frames: the tiles come first, then the
// score and the number of the ply.
const (
	tilesDelay = 10
	scoreDelay = 20
	lastDelay  = 300
)

// GIF returns an animation. A frame after the first has only the rectangle around the changes. GIF returns an error
// if the film has no positions, or a width out of range.
func (a *Artist) GIF(f Film) ([]byte, error) {
	r, err := a.newReel(f)
	if err != nil {
		return nil, err
	}
	for i, p := range f.Positions {
		if i == 0 {
			err = r.begin(p)
		} else {
			err = r.play(f.Positions[i-1], p)
		}
		if err != nil {
			return nil, err
		}
	}
	r.Delay[len(r.Delay)-1] = lastDelay
	var b bytes.Buffer
	err = gif.EncodeAll(&b, &r.GIF)
	return b.Bytes(), err
}

// reel is an animation that is being drawn.
type reel struct {
	gif.GIF

	artist    *Artist
	film      Film
	cell, gap int
	line      int                     // the height of each of the two lines of text above the board
	numbers   image.Rectangle         // where score and ply stand
	cells     map[int]*image.Paletted // by tile; 0 is the empty cell
}

func (a *Artist) newReel(f Film) (*reel, error) {
	if f.Width < LeastFilm || f.Width > MostFilm || len(f.Positions) == 0 {
		return nil, fmt.Errorf("an animation of %d positions, %d pixels wide: want at least 1 position, and %d to %d pixels", len(f.Positions), f.Width, LeastFilm, MostFilm)
	}
	size, r := f.Positions[0].Size(), &reel{artist: a, film: f, cells: map[int]*image.Paletted{}}
	columns := int(size.Width)
	r.gap, r.line = f.Width/48, f.Width/13
	r.cell = (f.Width - r.gap*(columns+1)) / columns
	width := r.gap + columns*r.pitch()
	r.numbers = image.Rect(width-width/3, 0, width, 2*r.line)
	r.Config = image.Config{ColorModel: a.palette, Width: width, Height: 2*r.line + r.gap + int(size.Height)*r.pitch()}
	return r, nil
}

func (r *reel) pitch() int { return r.cell + r.gap }

// add adds a frame.
func (r *reel) add(frame *image.Paletted, delay int) {
	r.Image, r.Delay, r.Disposal = append(r.Image, frame), append(r.Delay, delay), append(r.Disposal, gif.DisposalNone)
}

// begin adds the first frame.
func (r *reel) begin(p rules.Position) error {
	frame := image.NewPaletted(image.Rect(0, 0, r.Config.Width, r.Config.Height), r.artist.palette)
	names := image.Rect(0, 0, r.numbers.Min.X, 2*r.line)
	fill(frame, names, uint8(r.artist.inkShade[cardInk])) // #nosec G115 -- an index of the palette
	for i, side := range []struct {
		role, name string
		colour     color.RGBA
	}{{"attacks", r.film.Attacker, attackerColour}, {"defends", r.film.Defender, defenderColour}} {
		area := image.Rect(r.gap, i*r.line, names.Max.X, (i+1)*r.line)
		width, err := r.write(frame, area, side.colour, atLeft, side.role)
		if err != nil {
			return err
		}
		area.Min.X += width + r.gap
		if _, err = r.write(frame, area, cardInk, atLeft, plain.Line(side.name)); err != nil {
			return err
		}
	}
	if err := r.drawNumbers(frame, p); err != nil {
		return err
	}
	r.add(frame, tilesDelay+scoreDelay)
	return r.drawCells(frame, p, image.Rect(0, 0, int(p.Size().Width), int(p.Size().Height)))
}

// play adds the frames of a ply.
func (r *reel) play(before, after rules.Position) error {
	changed := changedCells(before, after)
	corner := image.Pt(0, 2*r.line)
	tiles := image.NewPaletted(image.Rectangle{
		corner.Add(changed.Min.Mul(r.pitch())), corner.Add(changed.Max.Mul(r.pitch())).Add(image.Pt(r.gap, r.gap)),
	}, r.artist.palette)
	r.add(tiles, tilesDelay)
	if err := r.drawCells(tiles, after, changed); err != nil {
		return err
	}
	numbers := image.NewPaletted(r.numbers, r.artist.palette)
	r.add(numbers, scoreDelay)
	return r.drawNumbers(numbers, after)
}

// changedCells returns the smallest rectangle of cells that has all differences between two positions; one cell if
// there are none.
func changedCells(before, after rules.Position) (area image.Rectangle) {
	old := before.Tiles()
	for y, row := range after.Tiles() {
		for x, tile := range row {
			if tile != old[y][x] {
				area = area.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if area.Empty() {
		area = image.Rect(0, 0, 1, 1)
	}
	return area
}

// drawNumbers draws the score and the ply of a position.
func (r *reel) drawNumbers(on *image.Paletted, p rules.Position) error {
	fill(on, r.numbers, uint8(r.artist.inkShade[cardInk])) // #nosec G115 -- an index of the palette
	for i, text := range []string{fmt.Sprintf("%d points", p.Score()), fmt.Sprintf("ply %d", p.Ply())} {
		area := image.Rect(r.numbers.Min.X, i*r.line, r.numbers.Max.X-r.gap, (i+1)*r.line)
		if _, err := r.write(on, area, cardInk, atRight, text); err != nil {
			return err
		}
	}
	return nil
}

// write writes a text above the board, and returns its width.
func (r *reel) write(on *image.Paletted, area image.Rectangle, ink color.RGBA, place int, text string) (int, error) {
	return r.artist.write(on, area, r.artist.inkShade[ink], place, .62*float64(r.line), text)
}

// drawCells draws a rectangle of cells of a position. The frame has the board's colour around them.
func (r *reel) drawCells(on *image.Paletted, p rules.Position, cells image.Rectangle) error {
	for y := cells.Min.Y; y < cells.Max.Y; y++ {
		for x := cells.Min.X; x < cells.Max.X; x++ {
			cell, err := r.tile(p.Tile(x+1, y+1))
			if err != nil {
				return err
			}
			for line := range r.cell {
				at := on.PixOffset(r.gap+x*r.pitch(), 2*r.line+r.gap+y*r.pitch()+line)
				copy(on.Pix[at:], cell.Pix[line*r.cell:(line+1)*r.cell])
			}
		}
	}
	return nil
}

// tile returns the picture of a cell with a tile, 0 for the empty cell. It draws each picture once.
func (r *reel) tile(tile int) (*image.Paletted, error) {
	if cell := r.cells[tile]; cell != nil {
		return cell, nil
	}
	cell := image.NewPaletted(image.Rect(0, 0, r.cell, r.cell), r.artist.palette)
	r.cells[tile] = cell
	if tile == 0 {
		fill(cell, cell.Rect, cellShade)
		return cell, nil
	}
	shade, size := tileShade+shades*(exponent(tile)-1), float64(letterHeight(tile)*r.cell)/cellPixels
	_, err := r.artist.write(cell, cell.Rect, shade, inMiddle, size, strconv.Itoa(tile))
	return cell, err
}
