package arena

import (
	"time"

	"versus2048/tournament"
)

// Progress is told how many games are done, of how many.
func (f *feed) Progress(done int, total tournament.Total) {
	starts := false
	f.update(func(p *Progress) {
		if starts = f.before < 0; starts {
			f.before, f.began, p.State = done, time.Now(), Running // waiting for the bots does not count
		}
		p.count(done, total)
	})
	if starts {
		f.announce(EventStarted)
	}
}

// Begun counts a game in progress.
func (f *feed) Begun(g tournament.Game) {
	progress := NewGameProgress(&g)
	f.update(func(p *Progress) {
		p.Playing++
		f.playing[g.ID] = progress
	})
	n := newNews(f.now.Event, GameStarted)
	n.Game = &GameNews{GameProgress: progress}
	f.bulletin.add(n)
}

// Played counts a ply.
func (f *feed) Played(g tournament.Game, _ tournament.Ply) {
	f.update(func(p *Progress) {
		p.Plies++
		f.playing[g.ID] = NewGameProgress(&g)
	})
}

// Ended counts a game that is no longer in progress.
func (f *feed) Ended(g tournament.Game) {
	f.update(func(p *Progress) {
		p.Playing--
		delete(f.playing, g.ID)
	})
	news := gameNews(f.now.Event, &g)
	if m, decided := f.board.add(g); decided {
		news = append(news, matchNews(f.now.Event, &m))
	}
	f.bulletin.add(news...)
}
