package arena

import "sync"

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
