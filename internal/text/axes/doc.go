// Package axes chooses the numbers that stand on the axes of charts, for pictures and for pages:
//
//	for _, tick := range axes.Ticks(0, 74000, 6) {
//		fmt.Println(tick.Label) // 0, 20000, 40000, 60000
//	}
package axes
