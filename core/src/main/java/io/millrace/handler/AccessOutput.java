package io.millrace.handler;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Where the lines of an access log go. Used by its writer's thread only. */
interface AccessOutput {

    /** Writes bytes, whole lines of requests that ended at about this time. */
    void write(byte[] bytes, int length, long now) throws IOException;

    void close() throws IOException;

    /** Standard output, which stays open. */
    @SuppressWarnings("StreamResourceLeak")
    static AccessOutput standard() {
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        return new AccessOutput() {
            @Override
            public void write(byte[] bytes, int length, long now) throws IOException {
                out.write(bytes, 0, length);
            }

            @Override
            public void close() {
                // not ours
            }
        };
    }

    /** Writes in another encoding; what it has no character for becomes a question mark. */
    static AccessOutput encoded(Charset charset, AccessOutput output) {
        return new AccessOutput() {
            @Override
            public void write(byte[] bytes, int length, long now) throws IOException {
                byte[] encoded = new String(bytes, 0, length, StandardCharsets.UTF_8).getBytes(charset);
                output.write(encoded, encoded.length, now);
            }

            @Override
            public void close() throws IOException {
                output.close();
            }
        };
    }
}
