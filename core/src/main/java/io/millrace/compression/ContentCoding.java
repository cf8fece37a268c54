package io.millrace.compression;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A way to compress a body (RFC 9110, 8.4.1). Any thread. */
interface ContentCoding {

    /** As header fields have it. */
    String name();

    /** Compresses what is written to it; {@code flush} lets the other end read all that was written so far. */
    OutputStream open(OutputStream compressed) throws IOException;

    /** Those that this Java and its class path have, the one that costs least for what it saves first. */
    static List<ContentCoding> available() {
        List<ContentCoding> found = new ArrayList<>();
        // lambdas: references to the methods would load the classes here, and fail where their library is not there
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

    /** Makes a coding whose library is there; null if that does not work on this system. */
    interface Loader {
        @Nullable
        ContentCoding load();
    }
}
