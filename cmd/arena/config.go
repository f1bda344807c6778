package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
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

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Usage: "a file that describes the event (see: arena tournament init); other flags win over it"}
}

// loadConfig sets the flags that are not on the command line to what the file
// of --config says.
func loadConfig(c *cli.Context) error {
	path := c.String("config")
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("the event's file: %w", err)
	}
	file, err := parseConfig(path, text)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if err := file.apply(c); err != nil {
		return cmdline.Usagef("%s: %w", path, err)
	}
	return nil
}

// apply sets each flag that is not set yet.
func (f *config) apply(c *cli.Context) error {
	if !c.IsSet("bot") {
		for _, bot := range f.bots() {
			if err := c.Set("bot", bot); err != nil {
				return err
			}
		}
	}
	return eachKey(reflect.ValueOf(f).Elem(), "", func(key, flag string, value reflect.Value) error {
		if value.IsNil() || c.IsSet(flag) {
			return nil
		}
		if t, ok := value.Interface().(*configTime); ok {
			if err := t.check(); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		return c.Set(flag, fmt.Sprint(value.Elem()))
	})
}

// bots are those of the list and then those with tables.
func (f *config) bots() []string {
	bots := f.Bots
	for _, b := range f.Bot {
		bots = append(bots, b.String())
	}
	return bots
}

// eachKey visits the keys that stand for a flag, also those in tables.
func eachKey(table reflect.Value, prefix string, visit func(key, flag string, value reflect.Value) error) error {
	for field, value := range table.Fields() {
		key, flag := prefix+field.Tag.Get("toml"), field.Tag.Get("flag")
		var err error
		switch {
		case flag != "":
			err = visit(key, flag, value)
		case value.Kind() == reflect.Struct:
			err = eachKey(value, key+".", visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
