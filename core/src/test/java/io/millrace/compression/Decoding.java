package io.millrace.compression;

import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

/** Decompresses with other implementations than ours. */
final class Decoding {

    private Decoding() {}

    static InputStream of(String coding, byte[] bytes) throws IOException {
        InputStream in = new ByteArrayInputStream(bytes);
        return switch (coding) {
            case "gzip" -> new GZIPInputStream(in);
            case "deflate" -> new InflaterInputStream(in);
            case "zstd" -> new ZstdInputStreamNoFinalizer(in);
            case "br" -> new BrotliInputStream(in);
            default -> throw new IOException("no such coding: " + coding);
        };
    }
}
