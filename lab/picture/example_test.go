package picture_test

import (
	"log"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"versus2048/lab/picture"
)

func Example() {
	line, err := plotter.NewLine(plotter.XYs{{X: 2, Y: 2}, {X: 4, Y: 6}})
	if err != nil {
		log.Fatal(err)
	}
	p := picture.New("Positions", "plies", "positions")
	p.Add(line)
	if err := picture.Write(os.Stdout, picture.SVG, 16*vg.Centimeter, 10*vg.Centimeter, [][]*plot.Plot{{p}}); err != nil {
		log.Fatal(err)
	}
}
