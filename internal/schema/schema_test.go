package schema_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/schema"
)

// Broken finds each part of an earlier file that a later file lacks. It finds an addition only if a request must have
// it.
func TestBroken(t *testing.T) {
	const before = `{"version":1,"$ref":"#/$defs/A","$defs":{
		"A":{"type":"object","properties":{"n":{"type":"integer"},"list":{"type":"array","items":{"$ref":"#/$defs/B"}}},"required":["n"]},
		"B":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"string"}},"required":["x"],"additionalProperties":false}}}`
	for change, want := range map[string]string{
		"same":                    "",
		`"version":1>"version":2`: "",
		`"n":{"type":"integer"}>"n":{"type":"string"}`:                      "/$defs/A/properties/n: has other types",
		`"n":{"type":"integer"},>`:                                          "/$defs/A/properties/n: is missing",
		`"n":{"type":"integer"}>"n":{"type":["integer","null"]}`:            "/$defs/A/properties/n: has other types",
		`"required":["n"]>"required":[]`:                                    "/$defs/A: n is not required any more",
		`"required":["n"]>"required":["n","list"]`:                          "/$defs/A: list has become required",
		`"n":{"type":"integer"}>"n":{"type":"integer"},"m":{"type":"null"}`: "",
		`"required":["x"]>"required":["x","y"]`:                             "/$defs/B: y has become required",
		`"required":["x"]>"required":[]`:                                    "",
		`"y":{"type":"string"}>"z":{"type":"string"}`:                       "/$defs/B/properties/y: is missing",
		`"$ref":"#/$defs/B">"type":"string"`:                                "/$defs/A/properties/list/items: is no #/$defs/B any more",
	} {
		from, to, _ := strings.Cut(change, ">")
		broken, err := schema.Broken([]byte(before), []byte(strings.Replace(before, from, to, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if found := slices.ContainsFunc(broken, func(b string) bool { return strings.HasPrefix(strings.TrimPrefix(b, "#"), want) }); want == "" && broken != nil || want != "" && !found {
			t.Errorf("%s breaks %q, want %q", change, broken, want)
		}
	}
}

// A parameter that is missing, and a body that has to have more, are found.
func TestBrokenOpenAPI(t *testing.T) {
	const before = `{"info":{"version":"1"},"paths":{"/a":{"get":{"parameters":[{"name":"p","in":"query"}],"responses":{}}}}}`
	for change, want := range map[string]string{
		`"name":"p">"name":"q"`:                     "/paths//a/get: the parameter p is missing",
		`"in":"query">"in":"query","required":true`: "/paths//a/get: the parameter p has become required",
		`"/a">"/b"`: "/paths//a: is missing",
	} {
		from, to, _ := strings.Cut(change, ">")
		broken, err := schema.Broken([]byte(before), []byte(strings.Replace(before, from, to, 1)))
		if err != nil || !slices.Contains(broken, want) {
			t.Errorf("%s breaks %q (error %v), want %q", change, broken, err, want)
		}
	}
}

// The name of a server-sent event is not that of the event before it.
func TestTransportForgetsEvents(t *testing.T) {
	transport, err := schema.NewTransport()
	if err != nil {
		t.Fatal(err)
	}
	for stream, want := range map[string]string{
		"event: beat\ndata: 0\n\nevent: beat\ndata: 0\n\n": "",
		"event: beat\ndata: 0\n\ndata: 0\n\n":              `the event "" is not described`,
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, stream)
		}))
		answer, err := (&http.Client{Transport: transport}).Get(s.URL + "/api/seen")
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(answer.Body)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", stream, err, want)
		}
		answer.Body.Close()
		s.Close()
	}
}
