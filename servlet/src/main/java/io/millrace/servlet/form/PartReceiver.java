package io.millrace.servlet.form;

import io.millrace.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Receives the events of a {@link MultipartParser}. For each part: begin, content any number of times, finish. */
interface PartReceiver {

    /**
     * Begins a part, after its header.
     *
     * @param headers values have one char per byte
     */
    void begin(Headers headers) throws IOException;

    /** Receives bytes of the part. The buffer is valid during the call only. */
    void content(ByteBuffer bytes) throws IOException;

    void finish() throws IOException;
}
