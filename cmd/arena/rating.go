package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/web/archive"
	"versus2048/results"
	"versus2048/tournament/standing"
)

func ratingCommand() *cli.Command {
	return &cli.Command{
		Name:  "rating",
		Usage: "rate all bots and versions that have ever played under like conditions, over all events of a database",
		Description: "There is a list for each set of conditions: the rules, the size, the clock, --playouts and --nodes, openings or none,\n" +
			"--max-turns and --max-tile. A bot that connects by itself has a rating for each version, a bot of the arena for each spec.\n" +
			"docs/RATINGS.md explains the lists.",
		Flags: slices.Concat([]cli.Flag{hosting.DatabaseFlag()}, hosting.ReaderFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "conditions", Usage: "list the conditions of all recorded matches"},
			&cli.StringFlag{Name: "under", Usage: "rate under these conditions, as --conditions writes them, such as \"gpcc2015 4x4 5s/move\" (default: the conditions with the most matches)"},
			&cli.BoolFlag{Name: "all", Usage: "print the lists of all conditions, one after the other"},
			&cli.StringFlag{Name: "anchor", Usage: "fix a bot's rating: NAME=ELO, or \"NAME VERSION=ELO\" (default: on average the reference bots have their ratings of docs/RATINGS.md, such as greedy 1000)"},
			&cli.IntFlag{Name: "provisional", Value: standing.Defaults().Provisional, Action: cmdline.AtLeast("provisional", 0), Usage: "mark ratings that come from fewer matches than this"},
		}, cmdline.OutputFlags()),
		Action: cmdline.Printing(printRatings),
	}
}

func printRatings(c *cli.Context, out cmdline.Output) error {
	options, err := readListOptions(c)
	if err != nil {
		return err
	}
	all, read, err := openLists(c, options)
	if err != nil {
		return err
	}
	if c.Bool("conditions") {
		t := standing.SummaryTable(all)
		return out.PrintTable(all, t, t)
	}
	var chosen []standing.List
	for _, conditions := range chosenConditions(c, all) {
		l, err := read(conditions)
		if err != nil {
			return err
		}
		chosen = append(chosen, l)
	}
	return printLists(out, c.Bool("all"), chosen)
}

// readListOptions reads --anchor and --provisional, and checks the flags that choose lists.
func readListOptions(c *cli.Context) (standing.Options, error) {
	o := standing.Defaults()
	if n := slices.DeleteFunc([]string{"conditions", "under", "all"}, func(name string) bool { return !c.IsSet(name) }); len(n) > 1 {
		return o, cmdline.Usagef("--%s: want only one of them", strings.Join(n, " and --"))
	}
	if c.String("server") != "" && (c.IsSet("db") || c.IsSet("anchor") || c.IsSet("provisional")) {
		return o, cmdline.Usagef("--db, --anchor and --provisional: a running arena has its own database and list")
	}
	anchor, err := readAnchor(c.String("anchor"))
	if err != nil {
		return o, cmdline.WrongUsage(err)
	}
	if anchor != nil {
		o.Anchor, o.Elo = anchor.Name, anchor.Elo
	}
	o.Provisional = c.Int("provisional")
	return o, nil
}

// openLists returns the summaries of all lists, on a running arena or in a database, and a function that reads one
// list.
func openLists(c *cli.Context, o standing.Options) (all []standing.Summary, read func(conditions string) (standing.List, error), err error) {
	if c.String("server") != "" {
		client := hosting.NewClient(c)
		ratings, err := client.Ratings(c.Context, "")
		return ratings.All, func(conditions string) (standing.List, error) {
			ratings, err := client.Ratings(c.Context, conditions)
			if err == nil && ratings.List == nil {
				err = fmt.Errorf("no match has been played under the conditions %q", conditions)
			}
			if err != nil {
				return standing.List{}, err
			}
			return *ratings.List, nil
		}, err
	}
	collected, err := recorded(c, func(store *results.Reader) (*standing.Collector, error) {
		return archive.CollectLists(c.Context, store)
	})
	if err != nil {
		return nil, nil, err
	}
	return collected.Summaries(), func(conditions string) (standing.List, error) { return collected.List(conditions, o) }, nil
}

// chosenConditions returns the conditions that --under and --all choose.
func chosenConditions(c *cli.Context, all []standing.Summary) (chosen []string) {
	if c.IsSet("under") {
		return []string{c.String("under")}
	}
	for _, s := range all {
		if chosen == nil || c.Bool("all") {
			chosen = append(chosen, s.Conditions)
		}
	}
	return chosen
}

// printLists prints lists. With --all, or without any list, their JSON is an array, otherwise one object.
func printLists(out cmdline.Output, all bool, chosen []standing.List) error {
	if len(chosen) == 0 && !all && out.Format == cmdline.TableFormat {
		_, err := fmt.Fprintln(out.Writer, "no match has been played yet; arena rate BOT plays some")
		return err
	}
	var value any = append([]standing.List{}, chosen...)
	if !all && len(chosen) > 0 {
		value = chosen[0]
	}
	return out.Print(cmdline.Tabular(value, standing.Tables(chosen), func(w io.Writer) error {
		for i, l := range chosen {
			if i > 0 {
				fmt.Fprintln(w)
			}
			if err := l.WriteText(w, out.Width); err != nil {
				return err
			}
		}
		return nil
	}))
}
