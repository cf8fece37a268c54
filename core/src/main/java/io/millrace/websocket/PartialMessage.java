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
    public synchronized void sendText(String part, boolean last, Completion completion) {
        require(text);
        String all = half.isEmpty() ? part : half + part;
        boolean split = !last && !all.isEmpty() && Character.isHighSurrogate(all.charAt(all.length() - 1));
        int end = split ? all.length() - 1 : all.length();
        if (send(ByteBuffer.wrap(all.substring(0, end).getBytes(StandardCharsets.UTF_8)), last, completion)) {
            half = all.substring(end);
        }
    }

    @Override
    public synchronized void sendBinary(ByteBuffer part, boolean last, Completion completion) {
        require(!text);
        send(part, last, completion);
    }

    private void require(boolean ofThisKind) {
        if (ended || !ofThisKind) {
            throw new IllegalStateException(
                    ended ? "the message has had its last part" : "the message is " + (text ? "text" : "binary"));
        }
    }

    /** False if it was refused: it may be sent again then. */
    private boolean send(ByteBuffer part, boolean last, Completion completion) {
        Throwable refused = writer.refusal();
        if (refused != null) {
            completion.done(refused);
            return false;
        }
        Opcode opcode = begun ? Opcode.CONTINUATION : text ? Opcode.TEXT : Opcode.BINARY;
        int flags = FrameEncoder.flags(opcode, last, compressed && !begun);
        writer.addPart(message, !begun, frame(flags, part, last, completion), last);
        begun = true;
        ended = last;
        session.pump();
        return true;
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
