package arena

import (
	"context"
	"slices"
)

// newsReader reads an event's news, from the first one of this run. Standings
// come after the matches that change them, and before the end.
type newsReader struct {
	*feed
	tell    func(News) error
	next    int // the number of the first that is not read
	counted int // matches in the standings that were told
}

// read tells all news until the event has ended.
func (r *newsReader) read(ctx context.Context) error {
	for {
		news, lost, more := r.bulletin.since(r.next)
		r.next += lost + len(news)
		over, err := r.tellAll(news, lost)
		if err != nil || over {
			return err
		}
		if err := await(ctx, more, followInterval); err != nil {
			return err
		}
	}
}

// tellAll tells a part of the news, with the standings that have changed. It is
// the last part if the event's end is in it.
func (r *newsReader) tellAll(news []News, lost int) (over bool, err error) {
	over = len(news) > 0 && news[len(news)-1].Type == EventFinished
	age := standingsAge
	if over {
		age = 0
	}
	all := news
	if lost > 0 {
		n := newNews(r.now.Event, NewsLost)
		n.Lost = lost
		all = append([]News{n}, all...)
	}
	if s, counted := r.board.standings(age); over || counted > r.counted {
		r.counted = counted
		before := len(all)
		if over {
			before--
		}
		all = slices.Insert(slices.Clip(all), before, standingsNews(r.now.Event, s)...)
	}
	for i := range all {
		if err := r.tell(all[i]); err != nil {
			return over, err
		}
	}
	return over, nil
}
