package io.millrace.handler;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** The destination of an access log. Confined to the writer thread. */
interface AccessOutput {

    /** Writes whole lines, in UTF-8. {@code now} is the current time, which determines the file. */
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
                // standard output is not closed
            }
        };
    }

    /** Converts the output to another encoding; unmappable characters become question marks. */
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
