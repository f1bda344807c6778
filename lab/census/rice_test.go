package census

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// checkCode fails the test unless numbers below 1<<shift survive coding and decoding.
func checkCode(t *testing.T, numbers []uint32, shift int) {
	t.Helper()
	k := riceBits(len(numbers), shift)
	code := append(appendRice(nil, numbers, k), make([]byte, padding)...)
	got, err := appendNumbers(nil, code, len(numbers), k, 1<<shift)
	if err != nil || !slices.Equal(got, numbers) {
		t.Errorf("%d numbers below 1<<%d: %d come back, %v", len(numbers), shift, len(got), err)
	}
}

func TestRiceCode(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shift := range []int{0, 1, 7, 22, 32} {
		for _, count := range []int{1, 2, 10, 1000, 100000} {
			var numbers []uint32
			for range count {
				numbers = append(numbers, uint32(rng.Uint64N(1<<shift)>>rng.IntN(shift+1)))
			}
			slices.Sort(numbers)
			checkCode(t, slices.Compact(numbers), shift)
		}
		checkCode(t, nil, shift)
		checkCode(t, []uint32{uint32(1<<shift - 1)}, shift)
	}
	all := make([]uint32, 1<<12)
	for i := range all {
		all[i] = uint32(i)
	}
	checkCode(t, all, 12)
	checkCode(t, append(slices.Clone(all), 1<<21, 1<<22-1), 22) // a gap that is too long for a unary quotient
}

// The code of random numbers is almost as short as possible.
func TestRiceIsShort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for _, gap := range []int{3, 60, 1000} {
		var numbers []uint32
		for i := range uint32(1 << 22) {
			if rng.IntN(gap) == 0 {
				numbers = append(numbers, i)
			}
		}
		code := appendRice(nil, numbers, riceBits(len(numbers), 22))
		// Gaps in a geometric distribution have about log2(e*gap) bits of information.
		least := map[int]float64{3: 2.75, 60: 7.34, 1000: 11.41}[gap]
		if bits := 8 * float64(len(code)) / float64(len(numbers)); bits < least || bits > 1.05*least {
			t.Errorf("gaps of %d: %.2f bits per number, want %.2f or little more", gap, bits, least)
		}
	}
}

func FuzzRiceCode(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 2, 0, 0, 0}, uint8(22))
	f.Add([]byte{255, 255, 255, 255}, uint8(32))
	f.Fuzz(func(t *testing.T, data []byte, shift uint8) {
		shift %= 33
		var numbers []uint32
		for ; len(data) >= 4; data = data[4:] {
			numbers = append(numbers, uint32(uint64(binary.LittleEndian.Uint32(data))&(1<<shift-1)))
		}
		slices.Sort(numbers)
		checkCode(t, slices.Compact(numbers), int(shift))
	})
}

// No input makes the decoder panic or return invalid numbers.
func FuzzRiceDecoder(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 5, uint8(3))
	f.Add(slices.Repeat([]byte{255}, 40), 100, uint8(22))
	f.Fuzz(func(t *testing.T, code []byte, count int, shift uint8) {
		count, shift = count&0xFFFF, shift%33
		code = append(code, make([]byte, padding)...)
		numbers, err := appendNumbers(nil, code, count, riceBits(count, int(shift)), 1<<shift)
		if err != nil {
			return
		}
		if len(numbers) != count {
			t.Errorf("%d numbers, want %d", len(numbers), count)
		}
		for i, x := range numbers {
			if uint64(x) >= 1<<shift || i > 0 && x <= numbers[i-1] {
				t.Errorf("number %d is %d", i, x)
			}
		}
	})
}
