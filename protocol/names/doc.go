// Package names says what a bot may be called, and which names people take for one another.
//
//	fmt.Println(names.Check("corner keeper 👩‍🚀"))
//	fmt.Println(names.Check("corner\u200bkeeper"))
//	fmt.Println(names.Alike("Minnie", "ｍіnniе")) // another width, another alphabet, another case
//
// A name stays as it was sent; only comparisons change its form.
package names
