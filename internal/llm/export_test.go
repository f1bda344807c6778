package llm

// ReadCompletion is for tests.
var ReadCompletion = readCompletion
