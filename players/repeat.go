package players

// Repeatable reports whether the bot makes the same moves each time it plays a game with the same seed against the same
// moves without a clock, wherever it is resumed: its search has no time limit, one thread, and begins anew with each move.
func (s Spec) Repeatable() bool {
	if s.kind.Name == "champion" {
		return false // it keeps its table
	}
	for name, want := range map[string]string{timeOption.Name: "0", "threads": "1", "reuse": "false", "keep": "false"} {
		if option, has := s.setting(name); has && option.text() != want {
			return false
		}
	}
	return true
}

// Slowed returns the spec of the same bot with its own time limit multiplied by a factor, at least 1 ms, for a machine that is
// so much slower. Without a time limit it returns the spec as it is.
func (s Spec) Slowed(factor float64) Spec {
	option, has := s.setting(timeOption.Name)
	if !has || option.get() == 0 || factor == 1 {
		return s
	}
	s.bot = s.bot.clone()
	option, _ = s.setting(timeOption.Name)
	option.set(max(1, min(option.Most, uint64(float64(option.get())*factor+0.5))))
	return s
}

// Timed reports whether the bot has a time limit of its own for each move.
func (s Spec) Timed() bool {
	option, has := s.setting(timeOption.Name)
	return has && option.get() > 0
}
