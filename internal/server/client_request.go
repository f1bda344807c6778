package server

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"versus2048/internal/server/gate"
	"versus2048/protocol"
)

// readLines requests a stream of lines and calls each(line) for every line, until a call reports the last line or
// returns an error.
func readLines[T any](ctx context.Context, c *Client, method, path string, question any, each func(T) (last bool, err error)) error {
	body, err := c.open(ctx, method, path, question)
	if err != nil {
		return err
	}
	defer body.Close()
	for stream := json.NewDecoder(body); ; {
		var line T
		if err := stream.Decode(&line); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("%w: %w", ErrLost, err)
		}
		if last, err := each(line); err != nil || last {
			return err
		}
	}
}

// fetch requests a path and decodes the answer from JSON.
func fetch[T any](ctx context.Context, c *Client, path string) (answer T, err error) {
	err = c.Read(ctx, path, &answer)
	return answer, err
}

// create sends a new event and returns its number.
func (c *Client) create(ctx context.Context, path string, event any) (int64, error) {
	var created struct{ Event int64 }
	err := c.call(ctx, http.MethodPost, path, event, &created)
	return created.Event, err
}

// command sends a command for an event.
func (c *Client) command(ctx context.Context, event int64, verb string, body any) error {
	return c.call(ctx, http.MethodPost, fmt.Sprintf("/api/events/%d/%s", event, verb), body, nil)
}

// call sends a request and decodes the answer into reply, unless reply is nil.
func (c *Client) call(ctx context.Context, method, path string, body, reply any) error {
	answer, err := c.open(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer answer.Close()
	if reply == nil {
		return nil
	}
	if err := json.NewDecoder(answer).Decode(reply); err != nil {
		return fmt.Errorf("the answer from %s%s: %w", c.URL, path, err)
	}
	return nil
}

// open sends a request and returns the body of the answer, which the caller closes. If an arena on this machine refuses
// the request because only an operator may send it, open reads the operator's file and sends the request once more.
func (c *Client) open(ctx context.Context, method, path string, body any) (io.ReadCloser, error) {
	var text bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			return nil, err
		}
	}
	base, token := c.credentials()
	answer, refused, err := c.send(ctx, method, base+path, token, text.Bytes())
	if refused == nil || refused.OperatorFile == "" || c.Token != "" || c.NoFile {
		return answer, err
	}
	// The client has not read the operator's file yet, or has the secret of an arena that has ended.
	if unproven := c.prove(refused.OperatorFile); unproven != nil {
		return nil, &RequestError{fmt.Errorf("%w; the operator's file: %w", err, unproven)}
	}
	base, token = c.credentials()
	answer, _, err = c.send(ctx, method, base+path, token, text.Bytes())
	return answer, err
}

// credentials returns the address for requests, and the token to send with them: Token, or the secret in the operator's
// file.
func (c *Client) credentials() (base, token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Token == "" && c.local.Secret != "" {
		return "http://" + c.local.Address, c.local.Secret
	}
	return strings.TrimSuffix(c.URL, "/"), c.Token
}

// usualPorts are the ports of addresses without a port, by the scheme.
var usualPorts = map[string]string{"http": "80", "https": "443"}

// prove reads the operator's file that an arena on this machine has named. From then on the client sends its requests,
// with the secret in the file, to the address in the file. So only the arena that wrote the file gets the secret, even
// if another program answers at c.URL.
func (c *Client) prove(path string) error {
	u, err := url.Parse(c.URL)
	if err != nil || !gate.IsLoopback(u.Host) {
		return fmt.Errorf("%s is not an address of this machine", c.URL)
	}
	f, err := gate.ReadOperatorFile(path)
	if err != nil {
		return err
	}
	want := cmp.Or(u.Port(), usualPorts[u.Scheme])
	if _, port, err := net.SplitHostPort(f.Address); err != nil || port != want || !gate.IsLoopback(f.Address) {
		return fmt.Errorf("%s is of an arena at %s, not at %s", path, f.Address, c.URL)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.local = f
	return nil
}

// send sends one request. If the arena refuses the request, send returns the arena's reason twice: as it was sent, and
// as an error.
func (c *Client) send(ctx context.Context, method, address, token string, body []byte) (io.ReadCloser, *Problem, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, nil, fmt.Errorf("the arena's address: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, nil, unreachable(c.URL, err)
	}
	if response.StatusCode == http.StatusOK {
		return response.Body, nil, nil
	}
	defer response.Body.Close()
	refused := new(Problem)
	if json.NewDecoder(response.Body).Decode(refused) != nil || refused.Error == "" {
		if response.StatusCode == http.StatusBadRequest && request.URL.Scheme == "http" {
			return nil, nil, fmt.Errorf("%s answers %s: is this the address of an arena? If it speaks TLS, use https://", address, response.Status)
		}
		return nil, nil, fmt.Errorf("%s answers %s: is this the address of an arena?", address, response.Status)
	}
	if response.StatusCode == http.StatusServiceUnavailable && response.Header.Get("Retry-After") != "" {
		return nil, refused, &RequestError{&laterError{refused.Error}}
	}
	return nil, refused, &RequestError{errors.New(refused.Error)}
}

// unreachable returns the error for a request that got no answer.
func unreachable(address string, err error) error {
	if u := new(url.Error); errors.As(err, &u) {
		err = u.Err
	}
	if wrong := new(tls.CertificateVerificationError); errors.As(err, &wrong) {
		return protocol.Untrusted(address, wrong)
	}
	return fmt.Errorf("no arena answers at %s (start one with: arena serve): %w", address, err)
}
