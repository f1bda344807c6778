package census

import "sync"

// scores are the smallest and the largest score of a layer, 0 if it has no
// positions. Where only 2s are placed a board's potential is its score.
func (c *census) scores(layer *set) (least, most int, err error) {
	var mu sync.Mutex
	todo := counter{of: layer.space.pieces()}
	seen := false
	err = parallel(c.workers, func(w *worker) (err error) {
		at := cursor{space: layer.space}
		for i, ok := todo.take(); ok; i, ok = todo.take() {
			if w.numbers, err = layer.appendPiece(w.numbers[:0], i, &w.buffer); err != nil {
				return err
			}
			if len(w.numbers) == 0 {
				continue
			}
			low, high := at.potentials(uint64(i)<<layer.space.shift, w.numbers)
			mu.Lock()
			if !seen {
				least, most, seen = low, high, true
			}
			least, most = min(least, low), max(most, high)
			mu.Unlock()
		}
		return nil
	})
	return least, most, err
}

// potentials are the smallest and the largest potential of some boards, whose
// ranks are the numbers more than base.
func (c *cursor) potentials(base uint64, numbers []uint32) (least, most int) {
	least = c.board(base + uint64(numbers[0])).Potential()
	most = least
	for _, x := range numbers {
		p := c.board(base + uint64(x)).Potential()
		least, most = min(least, p), max(most, p)
	}
	return least, most
}
