package hosting

import (
	"context"
	"fmt"
	"log/slog"
	"net"

	"versus2048/internal/server"
)

// scrapes is the listener for the metrics, if there is one.
type scrapes struct {
	listener net.Listener // nil for none
	stop     context.CancelFunc
	served   chan struct{}
}

// listenForScrapes listens on the address of --metrics-addr, "" for none.
func listenForScrapes(address string) (*scrapes, error) {
	if address == "" {
		return &scrapes{}, nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening on %s for --metrics-addr: %w", address, err)
	}
	return &scrapes{listener: listener}, nil
}

// serve begins to answer with the metrics of an arena. The answers end when close is called.
func (s *scrapes) serve(arena *server.Server, log *slog.Logger) {
	if s.listener == nil {
		return
	}
	log.Info("metrics open", "listening", s.listener.Addr(), "metrics", "http://"+server.Reachable(s.listener.Addr())+"/metrics")
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background()) // the metrics can be read while the arena shuts down
	s.served = make(chan struct{})
	go func() {
		defer close(s.served)
		if err := arena.ServeMetrics(ctx, s.listener); err != nil {
			log.Error("the metrics are not served any more", "why", err)
		}
	}()
}

func (s *scrapes) close() {
	switch {
	case s.stop != nil:
		s.stop()
		<-s.served
	case s.listener != nil:
		_ = s.listener.Close() // serve was not called
	}
}
