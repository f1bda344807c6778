package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"versus2048/internal/server"
)

// login serves the form that gives a browser an operator's rights.
type login struct {
	pages *pages
	arena *server.Server
}

// loginPage is the data of that form.
type loginPage struct {
	Next    string // the page after the login
	Path    string // of the operator's file; "" unless the visitor is on the arena's machine
	Problem string // of the last try, "" for none
}

func (l *login) show(w http.ResponseWriter, r *http.Request) error {
	if secret := r.FormValue("once"); secret != "" && r.Method == http.MethodGet {
		return l.logInOnce(w, r, secret)
	}
	return l.showForm(w, r, http.StatusOK, "")
}

// logInOnce gives the browser a cookie for the link that arena serve has printed.
func (l *login) logInOnce(w http.ResponseWriter, r *http.Request, secret string) error {
	if err := l.arena.LogInOnce(w, r, secret); err != nil {
		return l.showForm(w, r, http.StatusForbidden, "You are not logged in: "+err.Error()+".")
	}
	l.pages.log.InfoContext(r.Context(), "operator logged in by the link, which is void now", "from", l.arena.Address(r))
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

func (l *login) showForm(w http.ResponseWriter, r *http.Request, status int, problem string) error {
	page := loginPage{Next: ownPath(r.FormValue("next")), Path: l.arena.OperatorPath(r), Problem: problem}
	w.Header().Set("Cache-Control", "no-store")
	return l.pages.show(w, r, "login", view{status: status, Title: "Operator login", Body: page})
}

// logIn gives the browser a cookie for an operator's token. After any other token it shows the form again. A browser
// that tries many tokens has to wait, as every client with many refused requests.
func (l *login) logIn(w http.ResponseWriter, r *http.Request) error {
	token := strings.TrimSpace(r.PostFormValue("token"))
	if token == "" {
		return l.showForm(w, r, http.StatusBadRequest, "Enter a token.")
	}
	err := l.arena.LogIn(w, r, token)
	switch {
	case errors.Is(err, server.ErrBadToken):
		return l.showForm(w, r, http.StatusForbidden, "This is not an operator's token, or it is revoked.")
	case err != nil:
		return err
	}
	http.Redirect(w, r, ownPath(r.PostFormValue("next")), http.StatusSeeOther)
	return nil
}

func (l *login) logOut(w http.ResponseWriter, r *http.Request) error {
	l.arena.LogOut(w, r)
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// backTo returns the page after a login that begins on the page of this request.
func backTo(r *http.Request) string {
	if r.URL.Path == "/login" {
		return ownPath(r.FormValue("next"))
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return r.URL.RequestURI()
	}
	from, err := url.Parse(r.Referer()) // the page with the login button
	if err != nil || from.Host != r.Host {
		return "/"
	}
	return ownPath(from.RequestURI())
}

// ownPath returns next if it is a path on this arena, and otherwise the first page: a link to the login must not lead
// to another site.
func ownPath(next string) string {
	address, err := url.Parse(next)
	if err != nil || address.Scheme != "" || address.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\t\r\n") {
		return "/"
	}
	return next
}
