package io.millrace.compression;

import io.millrace.exchange.HttpExchange;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The compressed forms of a cached content, so that it is compressed once instead of for each client. On the heap, so
 * that a form stays valid while it is being sent after the content was evicted. Thread-safe.
 */
public final class EncodedForms {

    private final AtomicLong room;
    private final Map<String, ByteBuffer> forms = new ConcurrentHashMap<>(2);

    // guarded by this
    private boolean cleared;

    /**
     * No forms yet.
     *
     * @param room the remaining bytes for these forms and all others that share the counter
     */
    public EncodedForms(AtomicLong room) {
        this.room = room;
    }

    /**
     * Declares a payload, which is about to be sent as an entire body, to be the content. Forms are used only if the
     * compressing sink receives this same object.
     */
    public void offer(HttpExchange exchange, Payload whole) {
        CompressingSink sink = exchange.attribute(CompressingSink.KEY);
        if (sink != null) {
            sink.offered(this, whole);
        }
    }

    /** Whether the response may be compressed. Its content should then be loaded into memory, together with its forms. */
    public static boolean areWanted(HttpExchange exchange) {
        return exchange.attribute(CompressingSink.KEY) != null;
    }

    /** The form in a coding; null if it is not cached. */
    @Nullable
    ByteBuffer in(String coding) {
        ByteBuffer form = forms.get(coding);
        return form == null ? null : form.duplicate();
    }

    /** Caches a copy if there is room. */
    synchronized void keep(String coding, Payload encoded) {
        if (cleared || forms.containsKey(coding) || !(encoded instanceof Payload.Bytes bytes)) {
            return;
        }
        int size = (int) encoded.remaining();
        if (room.addAndGet(-size) < 0) {
            room.addAndGet(size);
            return;
        }
        ByteBuffer copy = ByteBuffer.allocate(size);
        for (ByteBuffer buffer : bytes.buffers()) {
            copy.put(buffer.duplicate());
        }
        forms.put(coding, copy.flip());
    }

    /** Called when the content is evicted: returns the room. Forms that are being sent remain valid. */
    public synchronized void clear() {
        cleared = true;
        forms.values().forEach(form -> room.addAndGet(form.capacity()));
        forms.clear();
    }
}
