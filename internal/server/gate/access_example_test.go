package access_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"

	"versus2048/internal/server/access"
)

func Example() {
	mux := http.NewServeMux()
	log := slog.New(access.Named(slog.NewTextHandler(os.Stdout, nil)))
	watch := access.Watch{Log: log, Level: slog.LevelInfo}
	handler := watch.Handler(mux)

	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	fmt.Println(len(answer.Header().Get("X-Request-Id")) > 0)
}
