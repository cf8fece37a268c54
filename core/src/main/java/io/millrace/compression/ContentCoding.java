package io.millrace.compression;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A content coding (RFC 9110, 8.4.1). Thread-safe. */
interface ContentCoding {

    /** The name in header fields. */
    String name();

    /** A stream that compresses; {@code flush} makes everything written so far decodable. */
    OutputStream open(OutputStream compressed) throws IOException;

    /** The codings available in this JDK and on the class path, in order of preference. */
    static List<ContentCoding> available() {
        List<ContentCoding> found = new ArrayList<>();
        // lambdas: method references would load the classes here, and fail if their library is missing
        add(found, "com.github.luben.zstd.ZstdOutputStreamNoFinalizer", () -> ZstdCoding.load());
        add(found, "com.aayushatharva.brotli4j.encoder.BrotliOutputStream", () -> BrotliCoding.load());
        found.add(new GzipCoding());
        found.add(new DeflateCoding());
        return List.copyOf(found);
    }

    private static void add(List<ContentCoding> found, String library, Loader loader) {
        try {
            Class.forName(library, false, ContentCoding.class.getClassLoader());
            ContentCoding coding = loader.load();
            if (coding != null) {
                found.add(coding);
            }
        } catch (ClassNotFoundException | LinkageError notThere) {
            CompressionLog.LOG.debugf("%s is not on the class path", library);
        }
    }

    /** Creates a coding whose library is present; null if that does not work on this system. */
    interface Loader {
        @Nullable
        ContentCoding load();
    }
}
