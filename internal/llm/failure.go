package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// StatusError is the refusal of a request.
type StatusError struct {
	Status  int    // of HTTP
	Message string // of the endpoint, on one line and without the key; "" for none
	code    string // of the endpoint
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("it answers with status %d %s", e.Status, http.StatusText(e.Status))
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// ofForm reports whether the refusal may be for the form of answers that the request asks for.
func (e *StatusError) ofForm() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity
}

// passes reports whether the same request may be taken later.
func (e *StatusError) passes() bool {
	switch e.Status {
	case http.StatusTooManyRequests:
		return e.code != "insufficient_quota" // of OpenAI: the account is out of money
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly:
		return true
	}
	return e.Status >= 500
}

// ErrNoChat means that an address answers, but not as chat completions do.
var ErrNoChat = errors.New("its answer is no chat completion")

// reportedError is an error in an answer with status 200.
type reportedError struct{ message string }

func (e *reportedError) Error() string { return "it reports an error: " + e.message }

// refusal returns the error for an answer with another status than 200, and notes the pause that it asks for.
func (e *Endpoint) refusal(answer *http.Response, content io.Reader) error {
	text, _ := io.ReadAll(content) // a part is better than nothing
	said := struct {
		Error   fault  `json:"error"`
		Message string `json:"message"`
		Detail  string `json:"detail"`
	}{}
	_ = json.Unmarshal(text, &said) // no JSON, or of another form
	message := string(text)
	if i := slices.IndexFunc([]string{said.Error.Message, said.Message, said.Detail}, func(s string) bool { return s != "" }); i >= 0 {
		message = []string{said.Error.Message, said.Message, said.Detail}[i]
	}
	if answer.StatusCode >= 300 && answer.StatusCode < 400 {
		message = "it leads to another address, which is not followed: give that one"
	}
	if pause, ok := pauseOf(answer, time.Now()); ok {
		e.pace.pause(pause)
	}
	return &StatusError{answer.StatusCode, e.shown(message), said.Error.Code}
}

// fault is the object or the text under "error".
type fault struct{ Message, Code string }

// UnmarshalJSON implements json.Unmarshaler.
func (f *fault) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &f.Message) == nil {
		return nil
	}
	object := struct {
		Message string `json:"message"`
		Code    any    `json:"code"` // a text or a number
	}{}
	err := json.Unmarshal(data, &object)
	f.Message = object.Message
	f.Code, _ = object.Code.(string)
	return err
}

// pauseOf returns the pause that an answer asks for in its header Retry-After: seconds or a date.
func pauseOf(answer *http.Response, now time.Time) (time.Duration, bool) {
	text := answer.Header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second)), true
	}
	date, err := http.ParseTime(text)
	return date.Sub(now), err == nil
}
