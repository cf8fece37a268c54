package io.millrace.compression;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** zstd (RFC 8878), with zstd-jni. Its classes are loaded only if the library is present. */
final class ZstdCoding implements ContentCoding {

    private static final int LEVEL = 3;

    private ZstdCoding() {}

    static @Nullable ContentCoding load() {
        Native.load();
        return new ZstdCoding();
    }

    @Override
    public String name() {
        return "zstd";
    }

    @Override
    public OutputStream open(OutputStream compressed) throws IOException {
        return new ZstdOutputStreamNoFinalizer(compressed, LEVEL);
    }
}
