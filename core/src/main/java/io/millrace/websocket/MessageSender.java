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

    /** Whether permessage-deflate is negotiated. */
    private final boolean deflate;

    private final WebSocketFrameWriter writer;

    MessageSender(WebSocketSession session, WebSocketRole role, @Nullable DeflateParameters deflate) {
        this.session = session;
        this.role = role;
        this.deflate = deflate != null;
        writer = new WebSocketFrameWriter(session, deflate != null && deflate.sendsWithTakeover(role));
    }

    WebSocketFrameWriter writer() {
        return writer;
    }

    void sendText(String message, @Nullable Completion completion) {
        send(Opcode.TEXT, ByteBuffer.wrap(message.getBytes(StandardCharsets.UTF_8)), true, completion);
    }

    /**
     * Sends a whole message.
     *
     * @param stable whether the bytes stay unchanged until the completion has run; otherwise they are copied
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
            session.messageQueued();
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
        if (payload.remaining() > WebSocketFrameReader.MAX_CONTROL) {
            throw new IllegalArgumentException("the payload of a control frame has " + payload.remaining()
                    + " bytes; expected at most 125 (RFC 6455, 5.5)");
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

    /** A message that is sent in parts. */
    private static final class PartialMessage implements MessageOutput {

        private final WebSocketSession session;
        private final WebSocketFrameWriter writer;
        private final boolean text;
        private final boolean compressed;

        // guarded by this
        private final Outgoing message = Outgoing.message();
        private boolean begun;
        private boolean ended;

        /** A high surrogate at the end of the last part, to be sent with the next one; empty if there is none. */
        private String half = "";

        /** The compressor of this message without context takeover; null otherwise. */
        private @Nullable MessageDeflater deflater;

        PartialMessage(WebSocketSession session, WebSocketFrameWriter writer, boolean text, boolean compressed) {
            this.session = session;
            this.writer = writer;
            this.text = text;
            this.compressed = compressed;
            deflater = compressed && !writer.hasHistory() ? new MessageDeflater(false) : null;
        }

        @Override
        public void sendText(String part, boolean last, Completion completion) {
            Throwable refused;
            synchronized (this) {
                require(text);
                String all = half.isEmpty() ? part : half + part;
                boolean split = !last && !all.isEmpty() && Character.isHighSurrogate(all.charAt(all.length() - 1));
                int end = split ? all.length() - 1 : all.length();
                refused = queue(
                        ByteBuffer.wrap(all.substring(0, end).getBytes(StandardCharsets.UTF_8)), last, completion);
                half = refused == null ? all.substring(end) : half;
            }
            send(refused, completion);
        }

        @Override
        public void sendBinary(ByteBuffer part, boolean last, Completion completion) {
            Throwable refused;
            synchronized (this) {
                require(!text);
                refused = queue(part, last, completion);
            }
            send(refused, completion);
        }

        /** Called without the lock, because it calls completions of this part and of other frames. */
        private void send(@Nullable Throwable refused, Completion completion) {
            if (refused == null) {
                session.sender().pump();
            } else {
                completion.done(refused);
            }
        }

        private void require(boolean ofThisKind) {
            if (ended || !ofThisKind) {
                throw new IllegalStateException(
                        ended ? "the message is already complete" : "the message is " + (text ? "text" : "binary"));
            }
        }

        /** Called with the lock held. The reason if the part was refused; null if it is queued. */
        private @Nullable Throwable queue(ByteBuffer part, boolean last, Completion completion) {
            Throwable refused = writer.refusal();
            if (refused != null) {
                return refused;
            }
            Opcode opcode = begun ? Opcode.CONTINUATION : text ? Opcode.TEXT : Opcode.BINARY;
            int flags = FrameEncoder.flags(opcode, last, compressed && !begun);
            Throwable late = writer.addPart(message, !begun, frame(flags, part, last, completion), last);
            begun = true;
            ended = last;
            if (last && late == null) {
                session.messageQueued();
            }
            return late;
        }

        private Outgoing frame(int flags, ByteBuffer part, boolean last, Completion completion) {
            MessageDeflater own = deflater;
            if (compressed && own == null) {
                return Outgoing.uncompressed(completion, flags, part.duplicate());
            }
            ByteBuffer payload = own == null ? part : own.compress(part.duplicate(), last);
            return Outgoing.encoded(
                    completion, FrameEncoder.encode(session.info().role(), flags, payload, true));
        }
    }
}
