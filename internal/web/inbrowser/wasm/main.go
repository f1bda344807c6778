//go:build js

// Wasm is the champion for browsers, compiled to WebAssembly by “make champion”. It gives JavaScript these functions,
// as properties of globalThis.champion. A question is JSON: see inbrowser.Asked.
//
//	needs(question)        returns {file, search}: the name of the network to load, "" for none, and whether the
//	                       question needs it
//	load(content)          loads a network from the bytes of its file
//	ask(question, answer)  searches, and calls answer with the opinion in JSON
//	judge(game, answer)    takes the text of a game, and calls answer with its costliest moves in JSON
//	stop()                 ends the search, which then answers with its result so far
//
// If something is wrong, needs and load return {error}, and ask and judge call answer with {error}.
package main

import (
	"encoding/json"
	"syscall/js"
	"time"

	"versus2048/internal/web/inbrowser"
)

func main() {
	p := &program{champion: inbrowser.NewChampion()}
	js.Global().Set("champion", map[string]any{
		"needs": js.FuncOf(func(_ js.Value, args []js.Value) any { return p.needs(args[0].String()) }),
		"load":  js.FuncOf(func(_ js.Value, args []js.Value) any { return p.load(args[0]) }),
		"ask":   answering(p.ask),
		"judge": answering(p.judge),
		"stop":  js.FuncOf(func(js.Value, []js.Value) any { p.stopped = true; return nil }),
	})
	select {}
}

// answering returns a function for JavaScript. It takes a text and a callback, and calls the callback with the answer.
func answering(answer func(string) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() { args[1].Invoke(answer(args[0].String())) }() // a callback must not wait, but the search does
		return nil
	})
}

// program is the champion with the state of its search. Everything runs in one thread.
type program struct {
	champion *inbrowser.Champion
	stopped  bool
	paused   time.Time // when JavaScript last had its turn
}

func failed(err error) any { return map[string]any{"error": err.Error()} }

func (p *program) needs(question string) any {
	var asked inbrowser.Asked
	err := json.Unmarshal([]byte(question), &asked)
	if err != nil {
		return failed(err)
	}
	needed, err := p.champion.Needs(asked)
	if err != nil {
		return failed(err)
	}
	return map[string]any{"file": needed.File, "search": needed.Search}
}

func (p *program) load(from js.Value) any {
	content := make([]byte, from.Length())
	js.CopyBytesToGo(content, from)
	if err := p.champion.Load(content); err != nil {
		return failed(err)
	}
	return nil
}

func (p *program) ask(question string) any {
	var asked inbrowser.Asked
	if err := json.Unmarshal([]byte(question), &asked); err != nil {
		return failed(err)
	}
	p.begin()
	return answered(p.champion.Ask(asked, p.stop))
}

func (p *program) judge(game string) any {
	p.begin()
	return answered(inbrowser.Judge(game, p.stop))
}

// answered returns a result in JSON.
func answered(result any, err error) any {
	if err != nil {
		return failed(err)
	}
	text, err := json.Marshal(result)
	if err != nil {
		return failed(err)
	}
	return string(text)
}

func (p *program) begin() { p.stopped, p.paused = false, time.Now() }

// turn is the time from one pause of a search to the next. JavaScript can stop the search during a pause.
const turn = 100 * time.Millisecond

// stop reports whether JavaScript has stopped the search. After each turn it pauses the search for a moment.
func (p *program) stop() bool {
	if now := time.Now(); now.Sub(p.paused) > turn {
		time.Sleep(time.Millisecond) // by a timer of JavaScript, which runs other events first
		p.paused = time.Now()
	}
	return p.stopped
}
