package io.millrace.websocket;

import io.millrace.io.Completion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Sends the messages of one connection: encodes and compresses them, queues their frames and writes them. Thread-safe. */
final class MessageSender {

    private final WebSocketSession session;
    private final WebSocketRole role;

    /** Is permessage-deflate negotiated? */
    private final boolean deflate;

    private final FrameWriter writer;

    MessageSender(WebSocketSession session, WebSocketRole role, @Nullable DeflateParameters deflate) {
        this.session = session;
        this.role = role;
        this.deflate = deflate != null;
        writer = new FrameWriter(session, deflate != null && deflate.sendsWithTakeover(role));
    }

    FrameWriter writer() {
        return writer;
    }

    void sendText(String message, @Nullable Completion completion) {
        send(Opcode.TEXT, ByteBuffer.wrap(message.getBytes(StandardCharsets.UTF_8)), true, completion);
    }

    /**
     * Sends a whole message.
     *
     * @param stable whether the octets stay unchanged until the completion has run; otherwise they are copied
     * @param completion null for none: then a full send buffer closes the connection
     */
    void send(Opcode opcode, ByteBuffer message, boolean stable, @Nullable Completion completion) {
        Outgoing frame;
        if (!isCompressed(message.remaining())) {
            frame = encoded(opcode, false, message, stable, completion);
        } else if (writer.hasHistory()) {
            ByteBuffer kept = stable ? message.duplicate() : copy(message);
            frame = Outgoing.uncompressed(orIgnore(completion), FrameEncoder.flags(opcode, true, true), kept);
        } else {
            ByteBuffer smaller = MessageDeflater.compressAlone(message.duplicate());
            boolean useful = smaller.remaining() < message.remaining();
            frame = encoded(opcode, useful, useful ? smaller : message, useful || stable, completion);
        }
        post(frame, completion);
    }

    void send(PreparedMessage message, @Nullable Completion completion) {
        boolean compress = isCompressed(message.size());
        if (role == WebSocketRole.CLIENT || compress && writer.hasHistory()) {
            send(message.opcode(), message.payload(), true, completion);
        } else {
            ByteBuffer frame = compress ? message.compressed() : message.plain();
            post(Outgoing.encoded(orIgnore(completion), frame), completion);
        }
    }

    MessageOutput startMessage(boolean text) {
        return new PartialMessage(session, writer, text, deflate);
    }

    private boolean isCompressed(int length) {
        return deflate && length >= session.options().get(WebSocketOptions.DEFLATE_THRESHOLD);
    }

    private static Completion orIgnore(@Nullable Completion completion) {
        return completion == null ? Completion.IGNORE : completion;
    }

    private Outgoing encoded(
            Opcode opcode, boolean compressed, ByteBuffer payload, boolean stable, @Nullable Completion completion) {
        int flags = FrameEncoder.flags(opcode, true, compressed);
        return Outgoing.encoded(orIgnore(completion), FrameEncoder.encode(role, flags, payload, stable));
    }

    private static ByteBuffer copy(ByteBuffer from) {
        return ByteBuffer.allocate(from.remaining()).put(from.duplicate()).flip();
    }

    private void post(Outgoing message, @Nullable Completion completion) {
        Throwable refused = writer.add(message);
        if (refused == null) {
            pump();
        } else if (completion != null) {
            completion.done(refused);
        } else if (refused instanceof SendBufferFullException) {
            session.close(new CloseStatus(CloseStatus.POLICY, "messages are not read fast enough"));
        }
    }

    /** Sends a ping or an unsolicited pong. */
    void sendControl(Opcode opcode, ByteBuffer payload, Completion completion) {
        Throwable refused = writer.addControl(Outgoing.encoded(completion, control(opcode, payload)));
        if (refused == null) {
            pump();
        } else {
            completion.done(refused);
        }
    }

    /** Answers a ping. */
    void answer(ByteBuffer payload) {
        writer.answer(Outgoing.uncounted(Completion.IGNORE, control(Opcode.PONG, payload)));
        pump();
    }

    void sendClose(ByteBuffer payload, Completion completion) {
        writer.addClose(Outgoing.uncounted(completion, control(Opcode.CLOSE, payload)));
        pump();
    }

    private ByteBuffer[] control(Opcode opcode, ByteBuffer payload) {
        if (payload.remaining() > FrameReader.MAX_CONTROL) {
            throw new IllegalArgumentException("the payload of a control frame has " + payload.remaining()
                    + " octets; expected at most 125 (RFC 6455, 5.5)");
        }
        return FrameEncoder.encode(role, FrameEncoder.flags(opcode, true, false), payload, false);
    }

    void flush() {
        writer.uncork();
        pump();
    }

    /** Writes queued frames. If a write may block, it is made on the thread that calls this listener, or on a worker. */
    void pump() {
        if (!session.writesBlock() || session.calls().strand().isRunner()) {
            writer.pump();
            return;
        }
        try {
            session.handOver(writer::pump);
        } catch (RejectedExecutionException | Error none) {
            session.abort(none);
        }
    }
}
