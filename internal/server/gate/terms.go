package gate

import (
	"fmt"
	"time"
)

// InvitationTerms are the bounds of a new invitation.
type InvitationTerms struct {
	Names int `json:"names"` // the number of names that bots may register with it
	Days  int `json:"days"`  // the number of days until it ends
}

// UsualInvitationTerms returns the terms of an invitation if its host chooses none.
func UsualInvitationTerms() InvitationTerms { return InvitationTerms{Names: 10, Days: 7} }

// The largest terms.
const (
	mostInvited = 1000
	mostDays    = 366
)

// Check returns an error if the terms are out of range.
func (t InvitationTerms) Check() error {
	switch {
	case t.Names < 1 || t.Names > mostInvited:
		return fmt.Errorf("an invitation for %d names: want 1 to %d", t.Names, mostInvited)
	case t.Days < 1 || t.Days > mostDays:
		return fmt.Errorf("an invitation for %d days: want 1 to %d", t.Days, mostDays)
	}
	return nil
}

// Lifetime returns the time from the making of the invitation to its end.
func (t InvitationTerms) Lifetime() time.Duration { return time.Duration(t.Days) * 24 * time.Hour }
