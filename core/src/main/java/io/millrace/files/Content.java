package io.millrace.files;

import io.millrace.exchange.HttpExchange;
import io.millrace.io.Payload;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a representation, in memory or an open file, held by the cache and by each transfer: the last one that lets
 * go frees them, all together. So nothing that is being sent is ever overwritten, whatever the cache does meanwhile. Any
 * thread.
 */
abstract sealed class Content permits MemoryContent, OpenFile {

    private final AtomicInteger holders = new AtomicInteger(1);

    /** One holder more; false if it is free already. */
    final boolean retain() {
        while (true) {
            int now = holders.get();
            if (now == 0) {
                return false;
            }
            if (holders.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    /** One holder less. */
    final void release() {
        int left = holders.decrementAndGet();
        if (left == 0) {
            free();
        } else if (left < 0) {
            throw new IllegalStateException("a file's content was released more often than it was held");
        }
    }

    /** To be sent while it is held. */
    abstract Payload payload(ByteRange range);

    /** The same for the whole of a body, which others may have in other codings. */
    Payload whole(HttpExchange exchange, ByteRange range) {
        return payload(range);
    }

    /**
     * Throws if what was sent so far may be wrong, and so must not be completed.
     *
     * @throws IOException with what happened to the file
     */
    abstract void check() throws IOException;

    /** True if {@link #check} has something to check. */
    abstract boolean mayChange();

    /** The open file whose bytes are to be read by a thread that may block; null for what is sent without waiting. */
    @Nullable
    OpenFile stalling() {
        return null;
    }

    /** Nobody holds it any more. */
    abstract void free();
}
