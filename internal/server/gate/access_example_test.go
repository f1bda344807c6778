package gate_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"

	"versus2048/internal/server/gate"
)

func ExampleRequestLog() {
	mux := http.NewServeMux()
	log := slog.New(gate.LogRequestIDs(slog.NewTextHandler(os.Stderr, nil)))
	watch := gate.RequestLog{Log: log, Level: slog.LevelInfo}
	handler := watch.Handler(mux)

	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	fmt.Println(len(answer.Header().Get("X-Request-Id")) > 0)
	// Output: true
}
