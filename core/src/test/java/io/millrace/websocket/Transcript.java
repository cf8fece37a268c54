package io.millrace.websocket;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The messages read from octets. Parts are joined, so that the transcript does not depend on how the input is split. */
final class Transcript implements MessageSink {

    private static final WebSocketOptions OPTIONS = WebSocketOptions.DEFAULT
            .with(WebSocketOptions.MAX_TEXT_SIZE, 5_000)
            .with(WebSocketOptions.MAX_BINARY_SIZE, 5_000)
            .with(WebSocketOptions.MAX_FRAMES, 50);

    private final boolean parts;
    private final StringBuilder text = new StringBuilder();
    private boolean closed;

    private Transcript(boolean parts) {
        this.parts = parts;
    }

    /**
     * Reads octets.
     *
     * @param piece the number of octets read at a time
     * @param parts whether messages are delivered in parts
     */
    static String of(byte[] bytes, int piece, boolean parts) {
        Transcript transcript = new Transcript(parts);
        MessageInflater inflater = new MessageInflater(false);
        MessageAssembly assembly = new MessageAssembly(transcript, inflater);
        WebSocketFrameReader reader = new WebSocketFrameReader(WebSocketRole.SERVER, true);
        try {
            for (int at = 0; at < bytes.length && !transcript.closed; at += piece) {
                ByteBuffer in = ByteBuffer.wrap(bytes, at, Math.min(piece, bytes.length - at));
                while (in.hasRemaining() && !transcript.closed) {
                    reader.read(in, assembly);
                }
            }
        } catch (WebSocketException fault) {
            transcript.text.append('!').append(fault.code());
        } finally {
            assembly.close();
        }
        return transcript.text.toString();
    }

    @Override
    public boolean takesParts(boolean ofText) {
        return parts;
    }

    @Override
    public void text(String message, boolean whole, boolean last) {
        text.append(message).append(last ? "|" : "");
    }

    @Override
    public void binary(ByteBuffer message, boolean whole, boolean last) {
        text.append(HexFormat.of()
                        .formatHex(message.array(), message.arrayOffset(), message.arrayOffset() + message.limit()))
                .append(last ? "|" : "");
    }

    @Override
    public void pinged(ByteBuffer payload) {
        if (!parts) {
            text.append("ping").append(payload.remaining());
        }
    }

    @Override
    public void ponged(ByteBuffer payload) {
        if (!parts) {
            text.append("pong").append(payload.remaining());
        }
    }

    @Override
    public void closeReceived(CloseStatus status) {
        text.append("close").append(status);
        closed = true;
    }

    @Override
    public WebSocketOptions options() {
        return OPTIONS;
    }
}
