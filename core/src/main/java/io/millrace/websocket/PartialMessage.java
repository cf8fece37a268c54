package io.millrace.websocket;

import io.millrace.io.Completion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A message that is sent in parts. */
final class PartialMessage implements MessageOutput {

    private final WebSocketSession session;
    private final FrameWriter writer;
    private final boolean text;
    private final boolean compressed;

    // guarded by this
    private final Outgoing message = Outgoing.message();
    private boolean begun;
    private boolean ended;

    /** The first half of a character whose second comes with the next part; empty if there is none. */
    private String half = "";

    /** Of this message, if it refers to no other. */
    private @Nullable MessageDeflater deflater;

    PartialMessage(WebSocketSession session, FrameWriter writer, boolean text, boolean compressed) {
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
            refused = queue(ByteBuffer.wrap(all.substring(0, end).getBytes(StandardCharsets.UTF_8)), last, completion);
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

    /** Without the lock: completions are called, of this part and of others. */
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
                    ended ? "the message has had its last part" : "the message is " + (text ? "text" : "binary"));
        }
    }

    /** Under the lock. Why it was refused, and may be sent again; null if it was not. */
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
        return late;
    }

    private Outgoing frame(int flags, ByteBuffer part, boolean last, Completion completion) {
        MessageDeflater own = deflater;
        if (compressed && own == null) {
            return Outgoing.uncompressed(completion, flags, part.duplicate());
        }
        ByteBuffer payload = own == null ? part : own.compress(part.duplicate(), last);
        return Outgoing.encoded(completion, FrameEncoder.encode(session.info().role(), flags, payload, true));
    }
}
