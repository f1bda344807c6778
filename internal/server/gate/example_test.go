package gate_test

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"

	"versus2048/internal/server/gate"
)

func Example() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer listener.Close()
	log := slog.New(slog.DiscardHandler)
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		fmt.Println("there is room:", gate.From(r.Context()).Keep(0))
	})

	g, err := gate.New(listener, gate.DefaultLimits(), log)
	if err != nil {
		panic(err)
	}
	web := &http.Server{Handler: handler, ConnContext: g.ConnContext}
	go web.Serve(g)

	response, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		panic(err)
	}
	response.Body.Close()
	// Output: there is room: true
}
