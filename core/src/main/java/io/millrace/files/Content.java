package io.millrace.files;

import io.millrace.exchange.HttpExchange;
import io.millrace.io.Payload;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The content of a representation, in memory or an open file. Reference-counted: retained by the cache and by each transfer, and
 * freed by the last release, so that memory is never reused while it is being sent. Thread-safe.
 */
abstract sealed class Content permits MemoryContent, OpenFile {

    private final AtomicInteger references = new AtomicInteger(1);

    /** Increments the count; false if the content is freed already. */
    final boolean retain() {
        while (true) {
            int now = references.get();
            if (now == 0) {
                return false;
            }
            if (references.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    /** Decrements the count; frees the content at zero. */
    final void release() {
        int left = references.decrementAndGet();
        if (left == 0) {
            free();
        } else if (left < 0) {
            throw new IllegalStateException("a file's content was released more often than it was retained");
        }
    }

    /** The payload of a range, valid while the content is retained. */
    abstract Payload payload(ByteRange range);

    /** The payload of a complete body, for which encoded forms may be cached. */
    Payload whole(HttpExchange exchange, ByteRange range) {
        return payload(range);
    }

    /**
     * Throws if the bytes sent so far may be wrong, so that the response must not be completed.
     *
     * @throws IOException if the file has changed
     */
    abstract void check() throws IOException;

    /** Whether {@link #check} has something to check. */
    abstract boolean mayChange();

    /** The open file if it must be read on a thread that may block; otherwise null. */
    @Nullable
    OpenFile stalling() {
        return null;
    }

    /** Called by the last release. */
    abstract void free();
}
