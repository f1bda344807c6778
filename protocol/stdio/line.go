package stdio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"versus2048/internal/text/plain"
	"versus2048/rules"
)

// LineError is the error for a line with a known first word and missing or invalid parts.
type LineError struct {
	Line    string
	Problem string
}

func (e *LineError) Error() string { return fmt.Sprintf("line %.200q: %s", e.Line, e.Problem) }

// Unknown is a line with an unknown first word. Readers should ignore it.
type Unknown struct{ Text string }

func (u Unknown) String() string { return u.Text }

// arguments are the words of a line: values with a key, and words without one.
type arguments struct {
	words  []string          // without a key, the command first
	values map[string]string // by key; the last one counts
}

// spaces separate words.
const spaces = " \t"

// parseArguments splits a line at its spaces. A word with = in it is a key and its value.
func parseArguments(line string) arguments {
	a := arguments{values: map[string]string{}}
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(spaces, r) }) {
		if key, value, ok := strings.Cut(word, "="); ok {
			a.values[key] = value
		} else {
			a.words = append(a.words, word)
		}
	}
	return a
}

// rest returns a line without its first n words.
func rest(line string, n int) string {
	for range n {
		_, line = cutWord(line)
	}
	return strings.Trim(line, spaces)
}

// cutWord returns the first word of a line, up to a space or a tab, and the text after the word.
func cutWord(line string) (word, after string) {
	line = strings.Trim(line, spaces)
	end := strings.IndexAny(line, spaces)
	if end < 0 {
		return line, ""
	}
	return line[:end], strings.Trim(line[end:], spaces)
}

// number reads a whole number from least to most. Without the key it is 0.
func (a arguments) number(key string, least, most int64) (int64, error) {
	text, ok := a.values[key]
	if !ok {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%s=%.40s: want a whole number from %d to %d", key, text, least, most)
	}
	return n, nil
}

// decimal reads a number from least to most. Without the key it is nil.
func (a arguments) decimal(key string, least, most float64) (*float64, error) {
	text, ok := a.values[key]
	if !ok {
		return nil, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= least && v <= most) {
		return nil, fmt.Errorf("%s=%.40s: want a number from %g to %g", key, text, least, most)
	}
	return &v, nil
}

// maxMillis is the longest time.Duration in milliseconds, about 292 years.
const maxMillis = int64((1<<63 - 1) / time.Millisecond)

// millis reads a time in whole milliseconds. Without the key it is 0.
func (a arguments) millis(key string) (time.Duration, error) {
	n, err := a.number(key, 0, maxMillis)
	return time.Duration(n) * time.Millisecond, err
}

// decimalMillis reads a time in milliseconds, which may have decimals down to microseconds.
func (a arguments) decimalMillis(key string) (time.Duration, error) {
	text, ok := a.values[key]
	if !ok {
		return 0, nil
	}
	ms, err := strconv.ParseFloat(text, 64)
	if err != nil || !(ms >= 0 && ms < float64(maxMillis)) {
		return 0, fmt.Errorf("%s=%.40s: want milliseconds", key, text)
	}
	return time.Duration(ms * float64(time.Millisecond)).Round(time.Microsecond), nil
}

// formatMillis writes a time in milliseconds with up to three decimals, "" for less than a microsecond.
func formatMillis(d time.Duration) string {
	if d < time.Microsecond {
		return ""
	}
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', -1, 64)
}

// percentDecode undoes percentEncode. A word with a coding error stays as it is.
func percentDecode(word string) string {
	text, err := url.PathUnescape(word)
	if err != nil {
		return word
	}
	return text
}

// percentEncode writes a text as one word.
func percentEncode(text string) string { return url.PathEscape(text) }

// list reads words separated by commas, nil without the key.
func (a arguments) list(key string) []string {
	text, ok := a.values[key]
	if !ok {
		return nil
	}
	return strings.Split(text, ",")
}

// side reads a role. ok is false without the key.
func (a arguments) side(key string) (side rules.Side, ok bool, err error) {
	text, ok := a.values[key]
	if ok {
		err = side.UnmarshalText([]byte(text))
	}
	return side, ok, err
}

// parseMoves reads moves separated by commas. The notation of a placement has a comma, too.
func parseMoves(text string) (moves []rules.Move, err error) {
	for _, word := range splitMoves(text) {
		m, err := rules.ParseMove(word)
		if err != nil {
			return nil, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// splitMoves splits a text at the commas outside of parentheses.
func splitMoves(text string) (words []string) {
	if text == "" {
		return nil
	}
	depth, begin := 0, 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				words, begin = append(words, text[begin:i]), i+1
			}
		}
	}
	return append(words, text[begin:])
}

// joined writes moves as parseMoves reads them, or whole numbers as the method numbers reads them.
func joined[T any](list []T) string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = fmt.Sprint(x)
	}
	return strings.Join(words, ",")
}

// numbers reads whole numbers from 0, separated by commas, at most the given count. It returns nil without the key and
// for an empty value.
func (a arguments) numbers(key string, most int) (numbers []int64, err error) {
	text := a.values[key]
	if text == "" {
		return nil, nil
	}
	words := strings.Split(text, ",")
	if len(words) > most {
		return nil, fmt.Errorf("%s has %d numbers: want at most %d", key, len(words), most)
	}
	for _, word := range words {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%s has the entry %.40q: want a whole number from 0", key, word)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// line builds a line from words and keys.
type line struct{ text []byte }

func newLine(words ...string) *line { return &line{[]byte(strings.Join(words, " "))} }

// add adds a key with its value, unless the value is empty.
func (l *line) add(key, value string) *line {
	if value != "" {
		l.text = append(l.text, " "+key+"="+value...)
	}
	return l
}

// number adds a number, unless it is 0.
func (l *line) number(key string, n int64) *line {
	if n != 0 {
		l.add(key, strconv.FormatInt(n, 10))
	}
	return l
}

// millis adds a time in whole milliseconds, unless it is 0.
func (l *line) millis(key string, d time.Duration) *line { return l.number(key, d.Milliseconds()) }

func (l *line) String() string { return string(l.text) }

// oneLine makes a text fit into a line: each line break and each NUL becomes a space.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == 0 {
			return ' '
		}
		return r
	}, text)
	return strings.TrimSpace(text)
}

// MaxLine is the length in bytes of the longest line, without its end.
const MaxLine = 64 << 10

// ErrTooLong means that a line is longer than MaxLine.
var ErrTooLong = fmt.Errorf("a line of more than %d bytes", MaxLine)

// Unended passes on a stream. It keeps the text after the last line break, which is a line without an end. The reader of
// the lines still waits for that end. Any goroutine may call Text.
type Unended struct {
	From io.Reader

	mu   sync.Mutex
	text []byte
}

// maxUnended is the number of bytes that are remembered.
const maxUnended = 200

// Read implements io.Reader.
func (u *Unended) Read(p []byte) (int, error) {
	n, err := u.From.Read(p)
	u.mu.Lock()
	defer u.mu.Unlock()
	read := p[:n]
	if end := bytes.LastIndexByte(read, '\n'); end >= 0 {
		u.text, read = u.text[:0], read[end+1:]
	}
	u.text = append(u.text, read[:min(len(read), maxUnended-len(u.text))]...)
	if err != nil {
		u.text = nil // at the end of the stream a line needs no end
	}
	return n, err
}

// Text says which text has come without an end of line. It returns "" if there is none.
func (u *Unended) Text() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	if text := strings.ToValidUTF8(string(u.text), "\uFFFD"); strings.Trim(text, spaces) != "" {
		return fmt.Sprintf("it wrote %.80q without an end of line", text)
	}
	return ""
}

// Reader reads the lines of the other side.
type Reader struct{ buffer *bufio.Reader }

// NewReader returns a reader of lines.
func NewReader(r io.Reader) *Reader {
	return &Reader{bufio.NewReaderSize(plain.WithoutBOM(r), MaxLine+2)}
}

// Line returns the next line that is not empty, without its end (\n or \r\n) and without spaces around it. Each run of
// bytes that are not UTF-8 becomes one U+FFFD. A last line without an end counts. Line returns io.EOF at the end, and
// ErrTooLong for a line that is too long. After ErrTooLong the next line may be the rest of the long one.
func (r *Reader) Line() (string, error) {
	for {
		text, err := r.buffer.ReadSlice('\n')
		length := len(strings.TrimRight(string(text), "\r\n"))
		if errors.Is(err, bufio.ErrBufferFull) || length > MaxLine {
			return "", ErrTooLong
		}
		if line := strings.Trim(string(text), " \t\r\n"); line != "" {
			return strings.ToValidUTF8(line, "\uFFFD"), nil
		}
		if err != nil {
			return "", err
		}
	}
}
