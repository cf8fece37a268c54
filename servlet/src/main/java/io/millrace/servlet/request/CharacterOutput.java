package io.millrace.servlet.request;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.Charset;

/** The encoder of a response's characters. Confined to the exchange's owner. */
abstract class CharacterOutput extends Writer {

    static CharacterOutput of(OutputStream out, Charset charset) {
        return OctetWriter.encodes(charset) ? new OctetWriter(out, charset) : new CharsetWriter(out, charset);
    }

    /** Discards pending characters. */
    abstract void reset();

    /** Encodes the pending characters, without flushing. A high surrogate stays pending until its low surrogate is written. */
    abstract void drainChars() throws IOException;

    /** Ends the output: a stateful encoding returns to its initial state. No write may follow. */
    abstract void finish() throws IOException;
}
