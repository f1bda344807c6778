package sweep

// A layer has a byte for each board with one sum of tiles. Boards with the same left half
// are together, sorted by the ranks of their right halves.
type layer struct {
	*geometry
	sum    int
	starts []uint32 // by left half: the place of its first board
	values []byte
}

// newLayer makes the layer of a sum, without its values.
func (g *geometry) newLayer(sum int) *layer {
	l := g.index(sum)
	l.values = make([]byte, g.places(sum))
	return l
}

// index finds the places of the boards of a sum.
func (g *geometry) index(sum int) *layer {
	l := &layer{geometry: g, sum: sum, starts: make([]uint32, len(g.left.sum))}
	at := 0
	for _, list := range g.left.bySum {
		for _, left := range list {
			l.starts[left] = uint32(at) // #nosec G115 -- Validate sees to it
			at += len(l.rights(left))
		}
	}
	return l
}

// places returns the number of boards of a sum, every symmetric image counted.
func (g *geometry) places(sum int) (n int64) {
	for i, lefts := range g.left.bySum {
		if rest := sum/2 - i; rest >= 0 && rest < len(g.right.bySum) {
			n += int64(len(lefts)) * int64(len(g.right.bySum[rest]))
		}
	}
	return n
}

// rights returns the right halves that add up to the layer's sum with a left half.
func (l *layer) rights(left code) []code {
	rest := (l.sum - int(l.left.sum[left])) / 2
	if rest < 0 || rest >= len(l.right.bySum) {
		return nil
	}
	return l.right.bySum[rest]
}

// at returns the value of a board: the constant most if the board is worth the ceiling or more. A nil layer has only
// such boards.
func (l *layer) at(left, right code) byte {
	if l == nil || int(l.left.worth[left])+int(l.right.worth[right]) >= l.ceiling {
		return most
	}
	return l.values[l.starts[left]+l.right.rank[right]]
}

// most is the value of a board where the defender reaches the ceiling, or gains at least this many units.
const most = 255

// fill computes the values of the boards that have the left half and come first among their images. It gives these
// values to the images as well, so every board below the ceiling gets a value once all left halves are filled. It
// returns the number of boards that it has computed. Goroutines may fill different left halves at once.
func (l *layer) fill(left code, value func(left, right code) byte) (computed int) {
	worth, start := int(l.left.worth[left]), l.starts[left]
	for rank, right := range l.rights(left) {
		if worth+int(l.right.worth[right]) >= l.ceiling {
			continue
		}
		images, n := l.images(left, right)
		if !least(left, right, images[:n]) {
			continue
		}
		v := value(left, right)
		l.values[int(start)+rank] = v
		for _, i := range images[:n] {
			l.values[l.starts[i[0]]+l.right.rank[i[1]]] = v
		}
		computed++
	}
	return computed
}

// least reports whether none of a board's images comes before the board.
func least(left, right code, images [][2]code) bool {
	for _, i := range images {
		if i[0] < left || i[0] == left && i[1] < right {
			return false
		}
	}
	return true
}
