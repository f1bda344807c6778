package webhook

// Types returns all types of notices, in the order of the constants.
func Types() []string {
	return []string{ArenaStarted, ArenaStopped, Ping, EventStarted, EventFinished, BotLost, TroubleRaised, TroubleCleared}
}
