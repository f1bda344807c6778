// Package names decides which names a bot may have, and which names people may mistake for one another.
//
//	fmt.Println(names.Check("corner keeper 👩‍🚀"))
//	fmt.Println(names.Check("corner\u200bkeeper"))
//	fmt.Println(names.Alike("Minnie", "ｍіnniе")) // another width, another alphabet, another case
//
// Names are kept as they were sent; only comparisons change their form.
package names
