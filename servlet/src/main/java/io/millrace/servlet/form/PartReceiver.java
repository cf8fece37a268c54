package io.millrace.servlet.form;

import io.millrace.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Told what a {@link MultipartParser} finds, in order: begin, content any number of times, finish; then the next part. */
interface PartReceiver {

    /**
     * A part's header has ended.
     *
     * @param headers values hold one char per byte
     */
    void begin(Headers headers) throws IOException;

    /** Bytes of the part, which are the parser's again after the call. */
    void content(ByteBuffer bytes) throws IOException;

    void finish() throws IOException;
}
