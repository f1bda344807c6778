package server

import (
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"versus2048/internal/server/gate"
)

// sessions are the browsers that an operator has logged in with.
type sessions struct {
	mu   sync.Mutex
	live map[string]login // by the cookie's value
}

// login is one browser.
type login struct {
	token string // an operator's
	began time.Time
}

func newSessions() *sessions { return &sessions{live: map[string]login{}} }

const (
	sessionCookie = "versus2048"
	sessionTime   = 24 * time.Hour
	mostSessions  = 1000 // a further one ends the oldest
)

// token returns the operator's token of the session that sent a request.
func (s *sessions) token(r *http.Request) (token string, ok bool) {
	cookie, err := r.Cookie(sessionCookie)
	if err != nil {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.live[cookie.Value]
	if ok && time.Since(l.began) > sessionTime {
		delete(s.live, cookie.Value)
		return "", false
	}
	return l.token, ok
}

// add logs in with a token and returns the value of the cookie.
func (s *sessions) add(token string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.live) >= mostSessions {
		oldest, began := "", time.Now()
		for value, l := range s.live {
			if l.began.Before(began) {
				oldest, began = value, l.began
			}
		}
		delete(s.live, oldest)
	}
	value := rand.Text()
	s.live[value] = login{token, time.Now()}
	return value
}

// remove ends the session of a request.
func (s *sessions) remove(r *http.Request) {
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.live, cookie.Value)
	}
}

// LogIn checks an operator's token, or the secret of the operator's file, and gives the browser a cookie that makes it
// an operator's for a day, until it logs out, the token is revoked, or the arena ends. The error describes the fault of
// the token.
func (s *Server) LogIn(w http.ResponseWriter, r *http.Request, token string) error {
	if _, err := s.admission.admitToken(r, token); err != nil {
		return err
	}
	http.SetCookie(w, s.cookie(r, s.admission.sessions.add(token), sessionTime))
	return nil
}

// OperatorPath returns the path of the operator's file; LogIn accepts the secret in it on this machine. OperatorPath
// returns "" to a request from elsewhere.
func (s *Server) OperatorPath(r *http.Request) string {
	if !gate.FromLoopback(r) {
		return ""
	}
	return s.admission.secretFile
}

// LogOut ends the session of a request, and deletes its cookie.
func (s *Server) LogOut(w http.ResponseWriter, r *http.Request) {
	s.admission.sessions.remove(r)
	http.SetCookie(w, s.cookie(r, "", -time.Second))
}

// cookie returns a cookie that no script and no other site can use.
func (s *Server) cookie(r *http.Request, value string, age time.Duration) *http.Cookie {
	return &http.Cookie{
		Name: sessionCookie, Value: value, Path: "/", MaxAge: int(age / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https",
	}
}
