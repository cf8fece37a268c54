package io.millrace.servlet.request;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.Charset;

/** Encodes characters into the response. For the owner of the response. */
abstract class CharacterOutput extends Writer {

    static CharacterOutput of(OutputStream out, Charset charset) {
        return OctetWriter.encodes(charset) ? new OctetWriter(out, charset) : new CharsetWriter(out, charset);
    }

    /** Forgets what was not encoded yet. */
    abstract void reset();

    /** Encodes what there is, without sending it. Half of a surrogate pair stays behind until the other half comes. */
    abstract void drainChars() throws IOException;

    /** The last call: a stateful encoding returns to its first state. */
    abstract void finish() throws IOException;
}
