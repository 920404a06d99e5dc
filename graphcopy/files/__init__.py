"""Files: a header that tells what is in them, an optional signature, the stream, and large buffers beside it."""
