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

    /** A high surrogate at the end of the last part, to be sent with the next one; empty if there is none. */
    private String half = "";

    /** The compressor of this message without context takeover; null otherwise. */
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
