package io.millrace.compression;

import io.millrace.exchange.HttpExchange;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the bytes of a cached content are in each coding, kept beside it, so that it is compressed once and not for each
 * client. On the heap: whoever sends one needs not care how long the content stays. Any thread.
 */
public final class EncodedForms {

    private final AtomicLong room;
    private final Map<String, ByteBuffer> forms = new ConcurrentHashMap<>(2);

    // guarded by this
    private boolean cleared;

    /**
     * None yet.
     *
     * @param room bytes left for these and all others that share it
     */
    public EncodedForms(AtomicLong room) {
        this.room = room;
    }

    /**
     * Says what a payload is that is about to be sent as the whole of a body: the whole content. It is this very object
     * that they are forms of; should something else become of it on its way, that is compressed as ever.
     */
    public void offer(HttpExchange exchange, Payload whole) {
        CompressingSink sink = exchange.attributes().get(CompressingSink.KEY);
        if (sink != null) {
            sink.offered(this, whole);
        }
    }

    /** May the response be compressed? Then its content is better had in memory, with its forms. */
    public static boolean areWanted(HttpExchange exchange) {
        return exchange.attributes().get(CompressingSink.KEY) != null;
    }

    /** To be sent; null if it is not known. */
    @Nullable
    ByteBuffer in(String coding) {
        ByteBuffer form = forms.get(coding);
        return form == null ? null : form.duplicate();
    }

    /** Keeps a copy if there is room. */
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

    /** The content is gone: gives the room back. Those that are being sent are sent. */
    public synchronized void clear() {
        cleared = true;
        forms.values().forEach(form -> room.addAndGet(form.capacity()));
        forms.clear();
    }
}
