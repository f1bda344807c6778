package rules

// Perft counts the sequences of exactly plies legal plies from p, without
// regard to symmetry: 1 for no plies, 0 if the game always ends before.
func Perft(p Position, plies int) uint64 {
	if plies == 0 {
		return 1
	}
	moves := p.AppendMoves(make([]Move, 0, 32))
	if plies == 1 {
		return uint64(len(moves))
	}
	var n uint64
	for _, m := range moves {
		n += Perft(p.Next(m), plies-1)
	}
	return n
}
