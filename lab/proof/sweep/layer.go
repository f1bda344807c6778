package sweep

// A layer is a byte for each board of one sum of tiles: the boards by their left
// halves, and for each of those by the rank of the right half.
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

// rights returns the right halves that have the sum together with a left one.
func (l *layer) rights(left code) []code {
	rest := (l.sum - int(l.left.sum[left])) / 2
	if rest < 0 || rest >= len(l.right.bySum) {
		return nil
	}
	return l.right.bySum[rest]
}

// at returns the value of a board. A nil layer has only boards that are worth the ceiling.
func (l *layer) at(left, right code) byte {
	if l == nil || int(l.left.worth[left])+int(l.right.worth[right]) >= l.ceiling {
		return most
	}
	return l.values[l.starts[left]+l.right.rank[right]]
}

// most is the value of a board where the defender reaches the ceiling, or gains at least most.
const most = 255

// fill computes the values of all boards with the left half: it computes one of the
// boards that are equal under a symmetry, and gives the others its value. It returns the
// number of boards that it has computed. Goroutines may fill different left halves at
// once.
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

// least reports whether a board comes before its images.
func least(left, right code, images [][2]code) bool {
	for _, i := range images {
		if i[0] < left || i[0] == left && i[1] < right {
			return false
		}
	}
	return true
}
