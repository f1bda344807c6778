package llm

// ReadCompletion is for a fuzz test.
var ReadCompletion = readCompletion
