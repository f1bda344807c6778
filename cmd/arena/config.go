package main

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// config is an event's file: each key stands for the flag of its tag. What is
// nil is not in the file. The tables are those of tournament.Settings.
type config struct {
	Name        *string     `toml:"name" flag:"name"`
	Bots        []string    `toml:"bots"`
	Bot         []configBot `toml:"bot"`
	Rules       *string     `toml:"rules" flag:"rules"`
	Size        *string     `toml:"size" flag:"size"`
	Seed        *uint64     `toml:"seed" flag:"seed"`
	Matches     *int        `toml:"matches" flag:"matches"`
	Concurrency *int        `toml:"concurrency" flag:"concurrency"`
	PerMove     *configTime `toml:"time_per_move" flag:"time-per-move"`
	Base        *configTime `toml:"time" flag:"time"`
	Increment   *configTime `toml:"increment" flag:"increment"`
	InProcess   *bool       `toml:"in_process" flag:"in-process"`
	Search      *bool       `toml:"search" flag:"search"`
	Openings    *string     `toml:"openings" flag:"openings"`
	Plan        struct {
		Kind   *string     `toml:"kind" flag:"format"`
		Seeds  *int        `toml:"seeds" flag:"seeds"`
		Rounds *int        `toml:"rounds" flag:"rounds"`
		Ahead  *int        `toml:"ahead" flag:"ahead"`
		SPRT   *configSPRT `toml:"sprt" flag:"sprt"`
	} `toml:"plan"`
	Budget struct {
		Playouts *uint64 `toml:"playouts" flag:"playouts"`
		Nodes    *uint64 `toml:"nodes" flag:"nodes"`
	} `toml:"budget"`
	Lenience struct {
		Margin *configTime `toml:"margin" flag:"margin"`
		Lag    *configTime `toml:"lag" flag:"lag"`
	} `toml:"lenience"`
	Adjudication struct {
		MaxTurns      *int  `toml:"max_turns" flag:"max-turns"`
		MaxTile       *int  `toml:"max_tile" flag:"max-tile"`
		EarlyDecision *bool `toml:"early_decision" flag:"early-decision"`
		Resign        *bool `toml:"resign" flag:"resign"`
	} `toml:"adjudication"`
	Strikes struct {
		Faults *int    `toml:"faults" flag:"strikes"`
		Games  *string `toml:"games" flag:"struck-games"`
	} `toml:"strikes"`
}

// configBot is a bot as a table of its own.
type configBot struct {
	Name string `toml:"name"`
	Spec string `toml:"spec"` // "" for one that is connected
}

// String is the bot as --bot has it.
func (b configBot) String() string {
	if b.Name == "" || b.Spec == "" {
		return b.Name + b.Spec
	}
	return b.Name + "=" + b.Spec
}

// configTime is a duration such as "5s".
type configTime string

func (t configTime) check() error {
	d, err := time.ParseDuration(string(t))
	if err == nil && d%time.Millisecond != 0 {
		err = fmt.Errorf("%v: want whole milliseconds", d)
	}
	return err
}

// configSPRT is what an sprt tests.
type configSPRT struct {
	Elo0  *float64 `toml:"elo0"`
	Elo1  *float64 `toml:"elo1"`
	Alpha *float64 `toml:"alpha"`
	Beta  *float64 `toml:"beta"`
	Model *string  `toml:"model"`
}

// String is the test as --sprt has it.
func (h configSPRT) String() string {
	var parts []string
	for field, value := range reflect.ValueOf(h).Fields() {
		if !value.IsNil() {
			parts = append(parts, fmt.Sprintf("%s=%v", field.Tag.Get("toml"), value.Elem()))
		}
	}
	return strings.Join(parts, ",")
}
