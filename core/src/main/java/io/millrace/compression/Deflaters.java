package io.millrace.compression;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.zip.Deflater;

/**
 * A pool of deflaters: each one takes a quarter of a mebibyte, and creating one costs more than compressing a small
 * response.
 */
final class Deflaters {

    private static final int KEPT = 32;

    private final ArrayBlockingQueue<Deflater> free = new ArrayBlockingQueue<>(KEPT);
    private final boolean bare;

    /**
     * A pool of one kind.
     *
     * @param bare without zlib's header and checksum
     */
    Deflaters(boolean bare) {
        this.bare = bare;
    }

    Deflater take() {
        Deflater kept = free.poll();
        return kept == null ? new Deflater(Deflater.DEFAULT_COMPRESSION, bare) : kept;
    }

    void giveBack(Deflater used) {
        used.reset();
        if (!free.offer(used)) {
            used.end();
        }
    }
}
