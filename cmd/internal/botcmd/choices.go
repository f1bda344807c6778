package botcmd

import (
	"slices"
	"strings"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/check"
	"versus2048/internal/llm"
	"versus2048/internal/templates"
	"versus2048/players"
	"versus2048/rules"
)

// Choices returns the completions for flags and arguments of the program bot.
func Choices() cmdline.Choices {
	return cmdline.Choices{
		Flags: map[string]func(cmdline.Typed) []cmdline.Candidate{
			"against":         Specs,
			"fallback":        Specs,
			"response-format": cmdline.Words(llm.Forms()...),
			"only":            checks,
			"rules":           rulesets,
			"size":            cmdline.SettingChoices("size"),
		},
		Arguments: map[string]func(cmdline.Typed) []cmdline.Candidate{
			"SPEC":     Specs,
			"LANGUAGE": cmdline.Words(templates.Languages()...),
		},
	}
}

// rulesets offers the rules of games. For bot try it leaves out solo, where nobody attacks.
func rulesets(t cmdline.Typed) []cmdline.Candidate {
	candidates := cmdline.SettingChoices("rules")(t)
	if t.Command != "try" {
		return candidates
	}
	return slices.DeleteFunc(candidates, func(c cmdline.Candidate) bool { return c.Text == rules.Solo.String() })
}

func checks(cmdline.Typed) (candidates []cmdline.Candidate) {
	for _, c := range check.List() {
		candidates = append(candidates, cmdline.Candidate{Text: c.ID, Meaning: c.Demand})
	}
	return candidates
}

// Specs offers specs of bots, part by part: the bot, its options, and their values. The word may begin with NAME=.
func Specs(t cmdline.Typed) (candidates []cmdline.Candidate) {
	kindName, options, hasOptions := strings.Cut(t.Word, ":")
	before, name, named := strings.Cut(kindName, "=")
	if named {
		before, kindName = before+"=", name
	} else {
		before = ""
	}
	for _, kind := range players.Kinds() {
		switch {
		case !hasOptions:
			candidates = append(candidates, cmdline.Candidate{Text: before + kind.Name, Meaning: kind.Summary})
		case kind.Name == kindName:
			complete := options[:strings.LastIndex(options, ",")+1]
			candidates = optionsOf(kind, before+kindName+":"+complete, strings.TrimPrefix(options, complete))
		}
	}
	return candidates
}

// optionsOf offers the options of a kind of bot, or the values of the option that has been typed.
func optionsOf(kind players.Kind, before, typed string) (candidates []cmdline.Candidate) {
	name, _, hasValue := strings.Cut(typed, "=")
	for _, o := range kind.Options {
		switch {
		case !hasValue:
			candidates = append(candidates, cmdline.Candidate{Text: before + o.Name + "=", Meaning: o.Meaning})
		case o.Name == name:
			for _, choice := range o.Choices {
				candidates = append(candidates, cmdline.Candidate{Text: before + o.Name + "=" + choice})
			}
		}
	}
	return candidates
}
