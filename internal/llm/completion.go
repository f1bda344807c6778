package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"

	"versus2048/internal/text/plain"
	"versus2048/rules"
)

// Form is the form of answers that a request asks for.
type Form int

// The forms, the strictest first.
const (
	Schema Form = iota // JSON with a legal move, by a JSON Schema
	Object             // any JSON object
	Text               // any text
)

// Forms returns the names of the forms, in their order.
func Forms() []string { return []string{"schema", "json", "text"} }

// body returns the body of a request.
func (e *Endpoint) body(form Form, messages []Message, moves []rules.Move) []byte {
	fields := map[string]any{}
	maps.Copy(fields, e.config.Parameters)
	fields["model"], fields["messages"] = e.config.Model, messages
	switch form {
	case Schema:
		fields["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{
			"name": "move", "strict": true, "schema": schemaOf(moves),
		}}
	case Object:
		fields["response_format"] = map[string]any{"type": "json_object"}
	}
	if e.config.Stream {
		fields["stream"], fields["stream_options"] = true, map[string]any{"include_usage": true}
	}
	body, _ := json.Marshal(fields) // cannot fail: all fields have a form in JSON
	return body
}

// schemaOf returns the JSON Schema of an answer with one of the moves.
func schemaOf(moves []rules.Move) map[string]any {
	return map[string]any{
		"type": "object", "required": []string{"move"}, "additionalProperties": false,
		"properties": map[string]any{"move": map[string]any{"type": "string", "enum": moves}},
	}
}

// reply is an answer, or a chunk of one.
type reply struct {
	Choices []struct {
		Message said   `json:"message"` // of an answer
		Delta   said   `json:"delta"`   // of a chunk
		Finish  string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Read    int64 `json:"prompt_tokens"`
		Written int64 `json:"completion_tokens"`
	} `json:"usage"`
	Error *fault `json:"error"`
}

type said struct {
	Content string `json:"content"`
}

// readCompletion reads a whole answer, or one in chunks.
func readCompletion(contentType string, content io.Reader) (c Completion, err error) {
	if kind, _, _ := mime.ParseMediaType(contentType); kind == "text/event-stream" {
		err = c.readChunks(content)
		return c, err
	}
	text, err := io.ReadAll(content)
	if err != nil {
		return c, fmt.Errorf("its answer breaks off: %w", err)
	}
	r, err := parseReply(text)
	if err == nil && len(r.Choices) == 0 {
		err = ErrNoChat
	}
	c.add(r)
	return c, err
}

// readChunks reads an answer as server-sent events. Some servers leave out the mark of the end.
func (c *Completion) readChunks(content io.Reader) error {
	in, finished := bufio.NewReader(content), false
	for {
		line, broken := plain.ReadLine(in, longestAnswer)
		data, isData := bytes.CutPrefix(line, []byte("data:"))
		data = bytes.TrimSpace(data)
		if string(data) == "[DONE]" {
			return nil
		}
		if isData && len(data) > 0 {
			r, err := parseReply(data)
			switch {
			case err == nil:
				finished = c.add(r) || finished
			case broken == nil || !errors.Is(err, ErrNoChat): // else the answer breaks off within this line
				return err
			}
		}
		switch {
		case broken == nil:
		case errors.Is(broken, io.EOF) && finished:
			return nil
		case errors.Is(broken, io.EOF):
			return fmt.Errorf("its answer breaks off: %w", io.ErrUnexpectedEOF)
		default:
			return fmt.Errorf("its answer breaks off: %w", broken)
		}
	}
}

// parseReply reads an answer or a chunk.
func parseReply(data []byte) (r reply, err error) {
	if err := json.Unmarshal(data, &r); err != nil {
		return r, ErrNoChat
	}
	if r.Error != nil {
		return r, &reportedError{r.Error.Message}
	}
	return r, nil
}

// add adds an answer or a chunk, and reports whether the model has finished.
func (c *Completion) add(r reply) (finished bool) {
	if r.Usage != nil {
		c.Tokens = Tokens{max(0, r.Usage.Read), max(0, r.Usage.Written)}
	}
	if len(r.Choices) == 0 {
		return false // a chunk with the tokens alone, or an empty one
	}
	choice := r.Choices[0]
	c.Text += choice.Message.Content + choice.Delta.Content
	c.Cut = c.Cut || choice.Finish == "length"
	return choice.Finish != ""
}
