package arena

import (
	"net/http"
	"strings"
)

// everyOther is the route of a page that says that there is no such page.
const everyOther = "GET /"

// withOptions returns a handler that answers OPTIONS with the methods that a path takes. It does not say that pages of
// other sites may read an answer (CORS): none may.
func withOptions(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodOptions {
			mux.ServeHTTP(w, r)
			return
		}
		allowed := methods(mux, r)
		if len(allowed) == 0 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
		w.WriteHeader(http.StatusNoContent)
	})
}

// methods returns the methods with which the path of a request has a route.
func methods(mux *http.ServeMux, r *http.Request) (allowed []string) {
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
		asked := r.Clone(r.Context())
		asked.Method = method
		if _, pattern := mux.Handler(asked); pattern != "" && pattern != everyOther {
			allowed = append(allowed, method)
		}
	}
	return allowed
}
