package protocol_test

import (
	"strings"
	"testing"

	"versus2048/protocol"
)

func TestCheck(t *testing.T) {
	for _, name := range []string{
		"a", "corner keeper", "日本語", "Ünïcödé", "e\u0301", "❤️", "❤", "👩‍🚀", "👩🏽‍🚀", "🏳️‍🌈", "🏴‍☠️", "❤️‍🔥", "1️⃣", "‼️", "↔️", "🇩🇪 bot",
		"наш бот", "עברית", "हिन्दी", strings.Repeat("é", 64),
	} {
		if err := protocol.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"":                        "0 characters",
		strings.Repeat("x", 65):   "65 characters",
		" a":                      "space at an end",
		"a\u00a0":                 "space at an end",
		"a\u00a0b":                "U+00A0",
		"a\nb":                    "U+000A",
		"a\x1b[1m":                "U+001B",
		"a\xff":                   "not UTF-8",
		"a\u200bb":                "U+200B",
		"a\u200db":                "U+200D",
		"👩\u200d":                 "U+200D",
		"\u200d👩":                 "U+200D",
		"a\ufe0f":                 "U+FE0F",
		"1\ufe0f":                 "U+FE0F",
		"\ufe0f":                  "U+FE0F",
		"❤\ufe0f\ufe0f":           "U+FE0F",
		"a\u202eb":                "U+202E",
		"a\u2066b":                "U+2066",
		"a\u034fb":                "U+034F",
		"a\u3164b":                "U+3164",
		"a\uffa0":                 "U+FFA0",
		"a\u115f":                 "U+115F",
		"a\u2800b":                "U+2800",
		"a\u00adb":                "U+00AD",
		"a\U000e0041b":            "U+E0041",
		"a\U000e0100b":            "U+E0100",
		"a\ue000b":                "U+E000",
		"\u2060" + "a" + "\ufeff": "U+2060",
	} {
		if err := protocol.CheckName(name); err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\x1b\u202e") {
			t.Errorf("%+q: error %v, want %q", name, err, want)
		}
	}
}

func TestAlike(t *testing.T) {
	for _, pair := range [][2]string{
		{"ann", "ann"},
		{"ann", "Ann"},
		{"ann", "ＡＮＮ"},
		{"corner keeper", "corner  keeper"},
		{"strasse", "STRASSE"},
		{"é", "e\u0301"},
		{"scope", "ѕсоре"}, // Cyrillic
		{"Scope", "ѕсоре"},
		{"paypal", "раураӏ"},
		{"minnie", "rninnie"},
		{"bot-1", "bot-l"},
		{"bot-1", "bot-I"},
		{"O0", "00"},
		{"❤", "❤️"},
		{"👩‍🚀", "👩🚀"},
		{"ǆ", "ǅ"},
		{"ﬁsh", "fish"},
	} {
		if !protocol.AlikeNames(pair[0], pair[1]) {
			t.Errorf("%q and %q differ: %q, %q", pair[0], pair[1], protocol.NewNameKey(pair[0]), protocol.NewNameKey(pair[1]))
		}
	}
	for _, pair := range [][2]string{
		{"ann", "anne"},
		{"mcts-1", "mcts-2"},
		{"mcts-1", "mcts-11"},
		{"idler 6", "idler 9"},
		{"ann", "bob"},
		{"❤", "♥️x"},
		{"日本", "日木"},
		{"👩‍🚀", "👨‍🚀"},
		{"e", "é"},
		{"a b", "ab"},
	} {
		if protocol.AlikeNames(pair[0], pair[1]) {
			t.Errorf("%q and %q are alike: %q, %q", pair[0], pair[1], protocol.NewNameKey(pair[0]), protocol.NewNameKey(pair[1]))
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add("corner keeper", "Corner  Keeper")
	f.Add("👩🏽‍🚀", "a\u200d")
	f.Fuzz(func(t *testing.T, a, b string) {
		_ = protocol.CheckName(a)
		if !protocol.AlikeNames(a, a) || protocol.AlikeNames(a, b) != protocol.AlikeNames(b, a) {
			t.Errorf("%q and %q are compared unevenly", a, b)
		}
	})
}

func BenchmarkNewKey(b *testing.B) {
	for b.Loop() {
		_ = protocol.NewNameKey("corner keeper 12")
	}
}
