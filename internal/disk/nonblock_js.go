package disk

// nonblock is nothing in browsers, which have no named pipes.
const nonblock = 0
