package arena

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"
)

// bulletin keeps the latest news of an event for those who read them.
type bulletin struct {
	mu      sync.Mutex
	dropped int // news that are no longer kept
	kept    []News
	changed chan struct{} // closed when there are more
}

// keptNews is how many news are kept at least: a reader that is slower than that
// loses some.
const keptNews = 20_000

func newBulletin() *bulletin { return &bulletin{changed: make(chan struct{})} }

// add adds news. After the event's end there are none.
func (b *bulletin) add(news ...News) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := len(b.kept); n > 0 && b.kept[n-1].Type == EventFinished {
		return
	}
	b.kept = append(b.kept, news...)
	if extra := len(b.kept) - keptNews; extra > keptNews {
		b.dropped += extra
		b.kept = append([]News{}, b.kept[extra:]...)
	}
	close(b.changed)
	b.changed = make(chan struct{})
}

// since are the news from a number on, how many of them are lost, and a channel
// that is closed when there are more.
func (b *bulletin) since(from int) (news []News, lost int, more <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	lost = max(0, b.dropped-from)
	from = max(0, from-b.dropped)
	return b.kept[from:len(b.kept):len(b.kept)], lost, b.changed
}

// newsReader reads an event's news, from the first one of this run.
type newsReader struct {
	*feed
	tell    func(...News) error
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
		pause := time.After(followInterval)
		if err := wait(ctx, more); err != nil {
			return err
		}
		if err := wait(ctx, pause); err != nil {
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
	if len(all) == 0 {
		return over, nil
	}
	return over, r.tell(all...)
}

// followNews writes the event's News, a line each, until it has ended.
func (s *Server) followNews(w http.ResponseWriter, r *http.Request) error {
	id, err := eventID(r)
	if err != nil {
		return err
	}
	p, err := s.host.played(id)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	line := json.NewEncoder(w)
	reader := newsReader{feed: p.feed, tell: func(news ...News) error {
		for i := range news {
			if err := line.Encode(&news[i]); err != nil {
				return err
			}
		}
		return http.NewResponseController(w).Flush()
	}}
	_ = reader.read(r.Context()) // the reader may leave at any time
	return nil
}
