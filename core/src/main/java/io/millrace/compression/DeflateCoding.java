package io.millrace.compression;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.DeflaterOutputStream;

/** deflate, which is the zlib format (RFC 9110, 8.4.1.2), with the JDK. */
final class DeflateCoding implements ContentCoding {

    private final Deflaters deflaters = new Deflaters(false);

    @Override
    public String name() {
        return "deflate";
    }

    @Override
    public OutputStream open(OutputStream compressed) {
        return new Zlib(deflaters, compressed);
    }

    private static final class Zlib extends DeflaterOutputStream {

        private static final int BUFFER = 4096;

        private final Deflaters deflaters;
        private boolean open = true;

        Zlib(Deflaters deflaters, OutputStream out) {
            super(out, deflaters.take(), BUFFER, true);
            this.deflaters = deflaters;
        }

        @Override
        public void close() throws IOException {
            if (open) {
                open = false;
                try {
                    finish();
                } finally {
                    deflaters.giveBack(def);
                }
            }
        }
    }
}
