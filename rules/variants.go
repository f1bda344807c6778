package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Variants are the games that a bot plays: under some of the rules, on boards of some sizes, in one role or in
// both. A nil list stands for all values, so that a bot with the zero Variants plays every game.
type Variants struct {
	Rules []Ruleset `json:"rules,omitzero"`
	Sizes []Size    `json:"size,omitzero"`
	Roles []Side    `json:"role,omitzero"`
}

// ParseVariants reads lists of names. A nil list stands for all names. ParseVariants leaves out names that it
// does not know, since a later version may know them.
func ParseVariants(rulesets, sizes, roles []string) Variants {
	return Variants{known(rulesets, Rulesets()), known(sizes, Sizes()), known(roles, []Side{Attacker, Defender})}
}

// known returns the values that are named in names. It returns nil, which stands for all, if names is nil.
func known[T fmt.Stringer](names []string, values []T) []T {
	if names == nil {
		return nil
	}
	return slices.DeleteFunc(values, func(x T) bool { return !slices.Contains(names, x.String()) })
}

// UnmarshalJSON reads the lists as ParseVariants does.
func (v *Variants) UnmarshalJSON(text []byte) error {
	var names struct {
		Rules []string `json:"rules"`
		Sizes []string `json:"size"`
		Roles []string `json:"role"`
	}
	if err := json.Unmarshal(text, &names); err != nil {
		return err
	}
	*v = ParseVariants(names.Rules, names.Sizes, names.Roles)
	return nil
}

// String returns the lists, such as "rules=gpcc2015,gpcc2016 size=4x4". It returns "" if the bot plays every
// game.
func (v Variants) String() string {
	var words []string
	add := func(key string, restricted bool, list string) {
		if restricted {
			words = append(words, key+"="+list)
		}
	}
	add("rules", v.Rules != nil, joinNames(v.Rules))
	add("size", v.Sizes != nil, joinNames(v.Sizes))
	add("role", v.Roles != nil, joinNames(v.Roles))
	return strings.Join(words, " ")
}

func joinNames[T fmt.Stringer](list []T) string {
	names := make([]string, len(list))
	for i, x := range list {
		names[i] = x.String()
	}
	return strings.Join(names, ",")
}

// Allows reports whether the bot plays games under r, on boards of that size, as that side. No bot plays the attacker
// where chance attacks.
func (v Variants) Allows(r Ruleset, size Size, side Side) bool {
	return allows(v.Rules, r) && allows(v.Sizes, size) && allows(v.Roles, side) && slices.Contains(r.Roles(), side)
}

func allows[T comparable](list []T, x T) bool { return list == nil || slices.Contains(list, x) }

// Validate returns an error if the bot plays no game.
func (v Variants) Validate() error {
	for _, r := range Rulesets() {
		for _, size := range Sizes() {
			if v.Allows(r, size, Attacker) || v.Allows(r, size, Defender) {
				return nil
			}
		}
	}
	var want Variants
	if v.Rules != nil && len(v.Rules) == 0 {
		want.Rules = Rulesets()
	}
	if v.Sizes != nil && len(v.Sizes) == 0 {
		want.Sizes = Sizes()
	}
	if v.Roles != nil && len(v.Roles) == 0 {
		want.Roles = []Side{Attacker, Defender}
	}
	if text := want.String(); text != "" {
		return fmt.Errorf("it plays only %s, and no such game is known: want some of %s", v, text)
	}
	return fmt.Errorf("it plays only %s, and no such game is known", v)
}

// Suits returns an error unless the bot plays games under r, on boards of that size, in all these roles.
func (v Variants) Suits(r Ruleset, size Size, roles ...Side) error {
	for _, side := range roles {
		if !v.Allows(r, size, side) {
			asked := Variants{[]Ruleset{r}, []Size{size}, roles}
			return fmt.Errorf("it plays only %s, and is asked for %s", v, asked)
		}
	}
	return nil
}

// And returns the games that both v and other contain.
func (v Variants) And(other Variants) Variants {
	return Variants{common(v.Rules, other.Rules), common(v.Sizes, other.Sizes), common(v.Roles, other.Roles)}
}

func common[T comparable](a, b []T) []T {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return slices.DeleteFunc(slices.Clone(a), func(x T) bool { return !slices.Contains(b, x) })
}
