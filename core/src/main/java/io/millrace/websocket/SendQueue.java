package io.millrace.websocket;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The pending frames of one connection, in the order in which they are sent: first a partially written frame, then answers to
 * pings, other control frames, messages with their parts queued so far, and last the close frame.
 *
 * <p>Guarded by its {@link WebSocketFrameWriter}.
 */
final class SendQueue {

    /** The maximum number of pending answers to pings. */
    private static final int MAX_PONGS = 16;

    private final WebSocketRole role;

    /** The compressor shared by all messages with context takeover; null without. */
    private final @Nullable MessageDeflater history;

    private final Outgoing.OutgoingQueue messages = new Outgoing.OutgoingQueue();
    private Outgoing.@Nullable OutgoingQueue controls;
    private Outgoing.@Nullable OutgoingQueue pongs;
    private int waitingPongs;
    private @Nullable Outgoing close;

    /** Partially written by the last write; must be continued before anything else. */
    private @Nullable Outgoing unfinished;

    /** @param takeover whether messages are compressed with reference to earlier ones */
    SendQueue(WebSocketRole role, boolean takeover) {
        this.role = role;
        history = takeover ? new MessageDeflater(true) : null;
    }

    /** Whether messages are compressed with reference to earlier ones. */
    boolean hasHistory() {
        return history != null;
    }

    void addMessage(Outgoing message) {
        messages.add(message);
    }

    void addControl(Outgoing frame) {
        Outgoing.OutgoingQueue queue = controls;
        if (queue == null) {
            queue = new Outgoing.OutgoingQueue();
            controls = queue;
        }
        queue.add(frame);
    }

    /** If too many answers are pending, the newest replaces them all (RFC 6455, 5.5.3). */
    void addPong(Outgoing frame) {
        Outgoing.OutgoingQueue queue = pongs;
        if (queue == null || waitingPongs >= MAX_PONGS) {
            queue = new Outgoing.OutgoingQueue();
            pongs = queue;
            waitingPongs = 0;
        }
        queue.add(frame);
        waitingPongs++;
    }

    void addClose(Outgoing frame) {
        close = frame;
    }

    /** Whether there is nothing to send. */
    boolean isEmpty() {
        return messages.isEmpty() && controls == null && pongs == null && close == null && unfinished == null;
    }

    /** Removes the only pending frame, if it is encoded and fits one write; null if there are more frames, or none. */
    @Nullable
    Outgoing takeOnly() {
        Outgoing first = messages.first();
        boolean only = first != null
                && first.next == null
                && first.parts == null
                && first.buffers != null
                && first.size <= WriteBatch.MAX_BYTES
                && controls == null
                && pongs == null
                && close == null
                && unfinished == null;
        return only ? messages.poll() : null;
    }

    /**
     * Moves as many frames as fit one write.
     *
     * @param corked whether messages are held back
     */
    void fill(WriteBatch batch, boolean corked) {
        Outgoing begun = unfinished;
        if (begun != null && !take(begun, batch)) {
            return;
        }
        unfinished = null;
        takeControls(batch);
        while (!corked && !batch.isFull() && unfinished == null) {
            Outgoing first = messages.first();
            if (first == null || first.parts != null && !takeParts(first, first.parts, batch)) {
                break;
            }
            messages.poll();
            if (first.parts == null) {
                begin(first, batch);
            }
        }
        Outgoing last = close;
        if (last != null && unfinished == null && !batch.isFull() && isDrained()) {
            close = null;
            begin(last, batch);
        }
    }

    /** Whether nothing is left except possibly a message whose remaining parts will not be queued. */
    private boolean isDrained() {
        Outgoing first = messages.first();
        return first == null || first.parts != null && first.parts.isEmpty();
    }

    private void takeControls(WriteBatch batch) {
        pongs = taken(pongs, batch);
        waitingPongs = pongs == null ? 0 : waitingPongs;
        controls = taken(controls, batch);
    }

    /** The rest of a queue; null if it is empty. */
    private Outgoing.@Nullable OutgoingQueue taken(Outgoing.@Nullable OutgoingQueue queue, WriteBatch batch) {
        while (queue != null && unfinished == null && !batch.isFull()) {
            Outgoing frame = queue.poll();
            if (frame == null) {
                return null;
            }
            begin(frame, batch);
        }
        return queue;
    }

    /** If encoding throws, the frame stays in {@link #unfinished}, where {@link #removeAll} finds it. */
    private void begin(Outgoing frame, WriteBatch batch) {
        unfinished = frame;
        if (take(frame, batch)) {
            unfinished = null;
        }
    }

    /** Whether the message has been taken completely. */
    private boolean takeParts(Outgoing message, Outgoing.OutgoingQueue parts, WriteBatch batch) {
        while (unfinished == null && !batch.isFull()) {
            Outgoing part = parts.poll();
            if (part == null) {
                return message.complete;
            }
            begin(part, batch);
        }
        return message.complete && parts.isEmpty();
    }

    /** Whether the whole frame fits the batch. */
    private boolean take(Outgoing frame, WriteBatch batch) {
        ByteBuffer[] buffers = frame.buffers;
        if (buffers == null) {
            buffers = encode(frame);
            frame.buffers = buffers;
        }
        boolean whole = batch.add(buffers);
        if (whole) {
            batch.complete.add(frame);
        }
        return whole;
    }

    private ByteBuffer[] encode(Outgoing frame) {
        ByteBuffer payload = frame.payload;
        MessageDeflater deflater = history;
        if (payload == null || deflater == null) {
            throw new IllegalStateException("a frame has neither buffers nor a payload to compress");
        }
        boolean last = (frame.flags & FrameEncoder.FIN) != 0;
        return FrameEncoder.encode(role, frame.flags, deflater.compress(payload, last), true);
    }

    /** Removes all frames, and returns those with a completion: all but the answers to pings. */
    Outgoing.OutgoingQueue removeAll() {
        Outgoing.OutgoingQueue all = new Outgoing.OutgoingQueue();
        if (unfinished != null) {
            all.add(unfinished);
        }
        moveTo(all, controls);
        Outgoing message;
        while ((message = messages.poll()) != null) {
            moveTo(all, message.parts);
            all.add(message);
        }
        if (close != null) {
            all.add(close);
        }
        unfinished = null;
        controls = null;
        pongs = null;
        close = null;
        if (history != null) {
            history.close();
        }
        return all;
    }

    private static void moveTo(Outgoing.OutgoingQueue all, Outgoing.@Nullable OutgoingQueue queue) {
        Outgoing next;
        while (queue != null && (next = queue.poll()) != null) {
            all.add(next);
        }
    }
}
