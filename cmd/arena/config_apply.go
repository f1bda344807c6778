package main

import (
	"fmt"
	"os"
	"reflect"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
)

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
