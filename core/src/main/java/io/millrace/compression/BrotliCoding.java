package io.millrace.compression;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** br (RFC 7932), with brotli4j. Its classes are loaded only if the library is present. */
final class BrotliCoding implements ContentCoding {

    /** Higher levels cost several times as much and save a few per cent. */
    private static final int QUALITY = 4;

    private BrotliCoding() {}

    static @Nullable ContentCoding load() {
        if (!Brotli4jLoader.isAvailable()) {
            CompressionLog.LOG.debug("brotli4j is not available here", Brotli4jLoader.getUnavailabilityCause());
            return null;
        }
        return new BrotliCoding();
    }

    @Override
    public String name() {
        return "br";
    }

    @Override
    public OutputStream open(OutputStream compressed) throws IOException {
        return new BrotliOutputStream(compressed, new Encoder.Parameters().setQuality(QUALITY));
    }
}
