package picture

import "image/color"

// Blue, Orange, Green, Purple and Sky are told apart with any eyesight: they are
// Okabe and Ito's. Grey is for lines behind them.
var (
	Blue   = color.RGBA{R: 0, G: 114, B: 178, A: 255}
	Orange = color.RGBA{R: 213, G: 94, B: 0, A: 255}
	Green  = color.RGBA{R: 0, G: 158, B: 115, A: 255}
	Purple = color.RGBA{R: 204, G: 121, B: 167, A: 255}
	Sky    = color.RGBA{R: 86, G: 180, B: 233, A: 255}
	Grey   = color.RGBA{R: 190, G: 190, B: 190, A: 255}
)
