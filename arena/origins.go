package arena

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
)

// errUnknownHost means that a request for a page names a host that is not known to be this arena's:
// whoever owns a name can make it point to this machine, and then its pages would be of one site with
// the arena's (DNS rebinding).
var errUnknownHost = errors.New("this arena is not known under that name: its host can name it with arena serve --origin http://NAME")

// origins tells the arena's own pages from those of other sites.
type origins struct {
	named  []string // in the configuration, such as https://arena.example.org
	hosts  []string // names of this machine, and those of named
	writes *http.CrossOriginProtection
}

func newOrigins(named []string, log *slog.Logger) *origins {
	o := &origins{hosts: ownNames(), writes: new(http.CrossOriginProtection)}
	for _, origin := range named {
		address, err := url.Parse(origin)
		if err == nil {
			err = o.writes.AddTrustedOrigin(origin)
		}
		if err != nil {
			log.Warn("not an origin", "origin", origin, "why", err)
			continue
		}
		o.named, o.hosts = append(o.named, strings.ToLower(origin)), append(o.hosts, strings.ToLower(address.Hostname()))
	}
	return o
}

// ownNames returns the names by which machines near this one know it.
func ownNames() []string {
	all := []string{"localhost"}
	name, err := os.Hostname()
	if err != nil {
		return all // then it goes by its address
	}
	short, _, _ := strings.Cut(strings.ToLower(name), ".")
	return append(all, strings.ToLower(name), short, short+".local")
}

// knownHost reports whether a request is meant for this arena: for an address, which nobody can make
// point elsewhere, or for one of its names.
func (o *origins) knownHost(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	return net.ParseIP(host) != nil || slices.Contains(o.hosts, strings.ToLower(host))
}

// own reports whether a request comes from a page of this arena, or from no page at all. Browsers name
// the page's origin in every request that changes something or opens a WebSocket.
func (o *origins) own(r *http.Request) bool {
	origin := strings.ToLower(r.Header.Get("Origin"))
	if origin == "" || slices.Contains(o.named, origin) {
		return true
	}
	address, err := url.Parse(origin)
	return err == nil && address.Host != "" && address.Host == strings.ToLower(r.Host)
}
