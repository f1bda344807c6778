package gate

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks of the reverse proxies that are trusted to name the client of a request.
type Proxies []netip.Prefix

// Client returns the address of the machine that sent a request. For a request from one of the proxies, this is the
// right-most address in its forwarding headers that is not a proxy's: strangers may have written the addresses further
// left. Headers from other machines are ignored. The address is never an IPv4 address in IPv6 form and has no zone; it
// is invalid (netip.Addr{}) only if the request's own address is.
func (p Proxies) Client(r *http.Request) netip.Addr {
	address := ParseAddress(r.RemoteAddr)
	hops := forwarded(r.Header)
	for p.contain(address) && len(hops) > 0 {
		hop := ParseAddress(hops[len(hops)-1])
		if !hop.IsValid() {
			break // "unknown" or nonsense: only the proxy that passed it on is known
		}
		address, hops = hop, hops[:len(hops)-1]
	}
	return address
}

// Sent reports whether a request comes from one of the proxies.
func (p Proxies) Sent(r *http.Request) bool { return p.contain(ParseAddress(r.RemoteAddr)) }

// OverTLS reports whether a request came over TLS, to the arena or to a proxy that says so in a header. The header
// counts only from one of the proxies or from this machine.
func (p Proxies) OverTLS(r *http.Request) bool {
	return r.TLS != nil || SaysTLS(r) && (p.Sent(r) || IsLoopback(r.RemoteAddr))
}

// SaysTLS reports whether a request came over TLS, as far as the request shows it. Everybody can send the header of a
// proxy: the answer may protect the sender's own secrets, but is no reason to trust the sender.
func SaysTLS(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}

// contain reports whether an address is a proxy's.
func (p Proxies) contain(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(address) })
}

// forwarded returns the hops in a request's forwarding headers, the nearest one last. Common proxies write
// X-Forwarded-For; Forwarded (RFC 7239) counts only without it.
func forwarded(h http.Header) []string {
	if all := h.Values("X-Forwarded-For"); len(all) > 0 {
		return strings.Split(strings.Join(all, ","), ",")
	}
	var hops []string
	if all := h.Values("Forwarded"); len(all) > 0 {
		for element := range strings.SplitSeq(strings.Join(all, ","), ",") {
			hops = append(hops, forwardedFor(element))
		}
	}
	return hops
}

// forwardedFor returns the value of "for" in one element of a Forwarded header, or "".
func forwardedFor(element string) string {
	for pair := range strings.SplitSeq(element, ";") {
		if key, value, _ := strings.Cut(pair, "="); strings.EqualFold(strings.TrimSpace(key), "for") {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// ParseAddress parses an address with or without a port, such as 192.0.2.1:80, [2001:db8::1] or ::1. It returns
// netip.Addr{} for anything else.
func ParseAddress(text string) netip.Addr {
	text = strings.TrimSpace(text)
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		return netip.Addr{}
	}
	return address.Unmap().WithZone("")
}

// FromLoopback reports whether a request comes from this machine and was meant for it. That is no proof: a reverse
// proxy on this machine that adds no header passes on everybody's requests in this way. Requests with forwarding
// headers do not count, and neither do requests for another host name: anybody can make a host name point to this
// machine.
func FromLoopback(r *http.Request) bool {
	if len(r.Header.Values("X-Forwarded-For")) > 0 || len(r.Header.Values("Forwarded")) > 0 { // empty ones, too
		return false
	}
	return IsLoopback(r.RemoteAddr) && IsLoopback(r.Host)
}

// IsLoopback reports whether an address such as 127.0.0.1:2048, [::1]:80 or localhost is this machine's loopback
// address.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	return host == "localhost" || ParseAddress(host).IsLoopback()
}
