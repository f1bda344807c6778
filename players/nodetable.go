package players

import (
	"math/bits"

	"versus2048/rules"
)

// nodeTable finds nodes by position: a hash table with linear probing, at most
// half full, that keeps its memory from search to search. A slot takes 4 bytes.
type nodeTable struct {
	slots []int32 // a node's number plus 1, 0 if free; a power of two of them
	used  int
}

const leastSlots = 1 << 10

// empty forgets all nodes.
func (t *nodeTable) empty() {
	if t.slots == nil {
		t.slots = make([]int32, leastSlots)
	}
	clear(t.slots)
	t.used = 0
}

// add enters i as the node of p, unless p has a node among nodes: then it
// returns that. Otherwise it returns none.
func (t *nodeTable) add(nodes []node, p rules.Position, i int32) int32 {
	if 2*t.used >= len(t.slots) {
		t.grow(nodes)
	}
	slot, known := t.find(nodes, p)
	if known == none {
		t.slots[slot] = i + 1
		t.used++
	}
	return known
}

// find is the node of p, or none, and the slot where it is or would be.
func (t *nodeTable) find(nodes []node, p rules.Position) (slot int, known int32) {
	mask := len(t.slots) - 1
	slot = int(hash(p) >> (64 - bits.Len(uint(mask))))
	for t.slots[slot] != 0 {
		if i := t.slots[slot] - 1; nodes[i].position == p {
			return slot, i
		}
		slot = (slot + 1) & mask
	}
	return slot, none
}

// grow makes room for twice as many nodes.
func (t *nodeTable) grow(nodes []node) {
	old := t.slots
	t.slots = make([]int32, 2*len(old))
	for _, i := range old {
		if i != 0 {
			slot, _ := t.find(nodes, nodes[i-1].position)
			t.slots[slot] = i
		}
	}
}

// hash spreads positions by what tells those of one search apart: under rules
// that place 4s equal boards may have other scores.
func hash(p rules.Position) uint64 {
	h := uint64(p.Board()) ^ uint64(p.Score())<<32
	h = (h ^ h>>32) * 0x9E37_79B9_7F4A_7C15
	return (h ^ h>>29) * 0xBF58_476D_1CE4_E5B9
}
