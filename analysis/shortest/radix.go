package shortest

// sortByBoard sorts arrivals by board and leaves those of one board in the order
// in which they are. It uses spare, which is as long. This radix sort is three to
// five times as fast as the sorts of slices.
func sortByBoard(arrivals, spare []arrival) {
	for shift := 0; shift < 64; shift += 8 {
		var ends [256]int // of each digit's arrivals in spare
		for _, a := range arrivals {
			ends[a.board>>shift&255]++
		}
		for d := 1; d < len(ends); d++ {
			ends[d] += ends[d-1]
		}
		for i := len(arrivals) - 1; i >= 0; i-- {
			d := arrivals[i].board >> shift & 255
			ends[d]--
			spare[ends[d]] = arrivals[i]
		}
		arrivals, spare = spare, arrivals // and back: there are eight digits
	}
}
