package server

import (
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"versus2048/internal/server/gate"
)

// sessions are the browsers in which an operator has logged in.
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
	mostSessions  = 1000 // the oldest ends when there is one more
)

// token returns the operator's token with which the sender of a request has logged in.
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

// LogIn checks an operator's token, or the secret of the operator's file, and gives the browser a
// cookie with which it is an operator for a day, until it logs out, the token is revoked, or the
// arena ends. It returns an error that says what is wrong with the token.
func (s *Server) LogIn(w http.ResponseWriter, r *http.Request, token string) error {
	if _, err := s.admission.admitToken(r, token); err != nil {
		return err
	}
	http.SetCookie(w, s.cookie(r, s.admission.sessions.add(token), sessionTime))
	return nil
}

// OperatorPath returns the path of the operator's file, whose secret LogIn takes on this machine. It
// returns "" to a request from elsewhere.
func (s *Server) OperatorPath(r *http.Request) string {
	if !gate.FromLoopback(r) {
		return ""
	}
	return s.admission.secretFile
}

// LogOut ends what LogIn began.
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
