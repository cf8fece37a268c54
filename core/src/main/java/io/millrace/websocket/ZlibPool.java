package io.millrace.websocket;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A pool of compressors or decompressors of raw deflate (RFC 1951), as required by RFC 7692. Each takes up to 0.3 MB outside of
 * the heap, and creating one takes longer than compressing most messages. Thread-safe.
 */
final class ZlibPool<Z> {

    private static final int KEPT = 32;

    static final ZlibPool<Deflater> DEFLATERS =
            new ZlibPool<>(() -> new Deflater(Deflater.DEFAULT_COMPRESSION, true), Deflater::reset, Deflater::end);

    static final ZlibPool<Inflater> INFLATERS =
            new ZlibPool<>(() -> new Inflater(true), Inflater::reset, Inflater::end);

    private final ArrayBlockingQueue<Z> free = new ArrayBlockingQueue<>(KEPT);
    private final Supplier<Z> maker;
    private final Consumer<Z> reset;
    private final Consumer<Z> end;

    private ZlibPool(Supplier<Z> maker, Consumer<Z> reset, Consumer<Z> end) {
        this.maker = maker;
        this.reset = reset;
        this.end = end;
    }

    Z take() {
        Z kept = free.poll();
        return kept == null ? maker.get() : kept;
    }

    void giveBack(Z used) {
        reset.accept(used);
        if (!free.offer(used)) {
            end.accept(used);
        }
    }
}
