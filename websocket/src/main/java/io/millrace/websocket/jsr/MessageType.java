package io.millrace.websocket.jsr;

import io.millrace.websocket.jsr.CoderTypes.CoderType;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.List;
import javax.websocket.DecodeException;
import javax.websocket.Decoder;
import javax.websocket.PongMessage;
import org.jspecify.annotations.Nullable;

/**
 * The message type of a handler, and the conversion to it (JSR 356, 4.7 and {@code Session.addMessageHandler}). Immutable.
 */
record MessageType(Class<?> type, MessageKind kind, Conversion conversion) {

    /** Converts a String, a ByteBuffer or a PongMessage to the handler's type. */
    @FunctionalInterface
    interface Conversion {

        @Nullable
        Object convert(Coders coders, Object message) throws DecodeException;
    }

    /**
     * The type for whole messages.
     *
     * @return null if neither the API nor a decoder of the endpoint converts messages to it
     */
    static @Nullable MessageType whole(Class<?> type, CoderTypes coders) {
        List<CoderType<Decoder>> decoders =
                coders.decoders(MethodType.methodType(type).wrap().returnType());
        if (!decoders.isEmpty()) {
            return decoded(type, decoders);
        }
        if (Primitives.isPrimitive(type)) {
            return new MessageType(
                    type, MessageKind.TEXT, (unused, message) -> Primitives.parse(type, (String) message));
        }
        if (type == Reader.class) {
            return new MessageType(type, MessageKind.TEXT, (unused, message) -> new StringReader((String) message));
        }
        if (type == InputStream.class) {
            return new MessageType(
                    type, MessageKind.BINARY, (unused, message) -> new OctetStream((ByteBuffer) message));
        }
        if (type == PongMessage.class) {
            return new MessageType(type, MessageKind.PONG, (unused, message) -> message);
        }
        return partial(type);
    }

    /** The type for partial messages; null if the API does not permit it. */
    static @Nullable MessageType partial(Class<?> type) {
        if (type == String.class) {
            return new MessageType(type, MessageKind.TEXT, (unused, message) -> message);
        }
        if (type == ByteBuffer.class) {
            return new MessageType(type, MessageKind.BINARY, (unused, message) -> message);
        }
        if (type == byte[].class) {
            return new MessageType(type, MessageKind.BINARY, (unused, message) -> bytes((ByteBuffer) message));
        }
        return null;
    }

    /** The first decoder determines whether text or binary messages are decoded; the others of its kind are tried after it. */
    private static MessageType decoded(Class<?> type, List<CoderType<Decoder>> all) {
        boolean text = all.get(0).form().isText();
        List<CoderType<Decoder>> decoders =
                all.stream().filter(decoder -> decoder.form().isText() == text).toList();
        return text
                ? new MessageType(type, MessageKind.TEXT, (known, message) -> known.decode(decoders, (String) message))
                : new MessageType(
                        type, MessageKind.BINARY, (known, message) -> known.decode(decoders, (ByteBuffer) message));
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
