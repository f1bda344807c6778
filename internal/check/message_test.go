package check

import (
	"encoding/json"
	"testing"
)

// A bot reads an escaped text as the text itself.
func TestEscape(t *testing.T) {
	for _, text := range []string{"ann", "ä € \u2028", `"quoted" \ back`, "a<b>&c", "tab\tbell\a", `\u003c`, "😀 ann", ""} {
		plain, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		escaped, read := escape(string(plain)), ""
		if err := json.Unmarshal([]byte(escaped), &read); err != nil || read != text {
			t.Errorf("%q escaped is %s, which reads as %q, %v", text, escaped, read, err)
		}
	}
	if got, want := escape(`{"a<":[1,"b"]}`), `{"\u0061\u003c":[1,"\u0062"]}`; got != want {
		t.Errorf("escaped %s, want %s", got, want)
	}
}
