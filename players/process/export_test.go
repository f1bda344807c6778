package process

import "versus2048/protocol/stdio"

// Started returns how many processes a program has that have not ended.
func Started(p *Program) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all)
}

// Settings returns the lines that set options.
func Settings(c Config, has []stdio.Option) (lines []string) {
	all, err := c.settings(has)
	if err != nil {
		return []string{err.Error()}
	}
	for _, l := range all {
		lines = append(lines, l.String())
	}
	return lines
}

// Silent reports whether nobody holds the standard error of a game's process.
func (g *Game) Silent() bool {
	select {
	case <-g.child.silent:
		return true
	default:
		return false
	}
}
