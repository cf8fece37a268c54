package io.millrace.websocket.jsr;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.ByteBuffer;
import javax.websocket.EncodeException;
import javax.websocket.RemoteEndpoint;
import org.jspecify.annotations.Nullable;

/** Sends, and returns when the transport has accepted the message, so that the buffer can be reused. Thread-safe. */
final class BasicRemote extends Remote implements RemoteEndpoint.Basic {

    BasicRemote(SessionOutput outgoing) {
        super(outgoing);
    }

    @Override
    public void sendText(@Nullable String text) throws IOException {
        outgoing.text(required(text, "the text"));
    }

    @Override
    public void sendBinary(@Nullable ByteBuffer data) throws IOException {
        outgoing.binary(required(data, "the data"));
    }

    @Override
    public void sendText(@Nullable String part, boolean last) throws IOException {
        outgoing.textPart(required(part, "the text"), last);
    }

    @Override
    public void sendBinary(@Nullable ByteBuffer part, boolean last) throws IOException {
        outgoing.binaryPart(required(part, "the data"), last);
    }

    @Override
    public OutputStream getSendStream() {
        return new PartStream(outgoing);
    }

    @Override
    public Writer getSendWriter() {
        return new BufferedWriter(new PartWriter(outgoing));
    }

    @Override
    public void sendObject(@Nullable Object object) throws IOException, EncodeException {
        Object encoded = outgoing.coders().encode(required(object, "the object"));
        if (encoded instanceof String text) {
            outgoing.text(text);
        } else {
            outgoing.binary((ByteBuffer) encoded);
        }
    }
}
