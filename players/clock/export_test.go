package clock

// Readable reports whether there are bytes in a stream.
func Readable(stream any) bool { return readable(stream) }
