// Package picture defines the look of this project's pictures: the colours, the axes and the page of the plots, as SVG
// or PNG:
//
//	p := picture.New("Positions", "plies", "positions")
//	p.Add(line)
//	if err := picture.Write(os.Stdout, picture.SVG, 16*vg.Centimeter, 10*vg.Centimeter, [][]*plot.Plot{{p}}); err != nil {
//		log.Fatal(err)
//	}
package picture
