package protocol

// DecodeFromBot decodes a message as an arena does.
func DecodeFromBot(text []byte) (Message, error) { return decode(text, fromBot) }

// SplitFields is splitFields.
func SplitFields(text []byte) (map[string][]byte, error) { return splitFields(text) }
