package io.millrace.websocket.jsr;

import io.millrace.websocket.jsr.CoderTypes.CoderType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.websocket.DecodeException;
import javax.websocket.Decoder;
import javax.websocket.EncodeException;
import javax.websocket.Encoder;
import javax.websocket.EndpointConfig;
import org.jspecify.annotations.Nullable;

/**
 * The encoders and decoders of one session: one instance of each class, created and initialized when it is first needed (JSR
 * 356, 4.1.2). Encoders are called by the application's sending threads, possibly at the same time; decoders by one thread.
 */
final class Coders {

    private final CoderTypes types;
    private final EndpointConfig config;
    /** By class, in the order of creation. Null until the first. Guarded by this. */
    private @Nullable Map<Class<?>, Object> instances;

    private boolean destroyed;

    Coders(CoderTypes types, EndpointConfig config) {
        this.types = types;
        this.config = config;
    }

    /**
     * Encodes an object as a String or a ByteBuffer.
     *
     * @throws EncodeException if there is no encoder for it, or it failed
     */
    Object encode(Object message) throws EncodeException {
        CoderType<Encoder> type = types.encoder(message.getClass());
        if (type != null) {
            return encode(type, message);
        }
        if (message instanceof String || Primitives.isPrimitive(message.getClass())) {
            return message.toString();
        }
        if (message instanceof ByteBuffer) {
            return message;
        }
        if (message instanceof byte[] bytes) {
            return ByteBuffer.wrap(bytes);
        }
        throw new EncodeException(
                message,
                "The endpoint has no encoder for " + message.getClass().getName()
                        + ": add one to the encoders of its annotation or configuration.");
    }

    private Object encode(CoderType<Encoder> type, Object message) throws EncodeException {
        Encoder encoder = encoder(type.coder(), message);
        try {
            return switch (type.form()) {
                case TEXT -> text(encoder).encode(message);
                case BINARY -> binary(encoder).encode(message);
                case TEXT_STREAM -> {
                    StringWriter out = new StringWriter();
                    textStream(encoder).encode(message, out);
                    yield out.toString();
                }
                case BINARY_STREAM -> {
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    binaryStream(encoder).encode(message, out);
                    yield ByteBuffer.wrap(out.toByteArray());
                }
            };
        } catch (IOException | RuntimeException e) {
            throw new EncodeException(message, type.coder().getName() + " failed: " + e, e);
        }
    }

    private Encoder encoder(Class<? extends Encoder> type, Object message) throws EncodeException {
        try {
            return (Encoder) instance(type);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new EncodeException(message, type.getName() + " cannot be instantiated: " + cause(e), cause(e));
        }
    }

    /**
     * Decodes a text.
     *
     * @param decoders tried in order
     * @throws DecodeException if none accepts the message, or one fails
     */
    @Nullable
    Object decode(List<CoderType<Decoder>> decoders, String text) throws DecodeException {
        for (CoderType<Decoder> type : decoders) {
            Decoder decoder = decoder(type.coder(), text, null);
            try {
                if (type.form() == CoderTypes.Form.TEXT_STREAM) {
                    return ((Decoder.TextStream<?>) decoder).decode(new StringReader(text));
                }
                Decoder.Text<?> plain = (Decoder.Text<?>) decoder;
                if (plain.willDecode(text)) {
                    return plain.decode(text);
                }
            } catch (IOException | RuntimeException e) {
                throw new DecodeException(text, type.coder().getName() + " failed: " + e, e);
            }
        }
        throw new DecodeException(text, "None of the endpoint's decoders accepts this message (willDecode).");
    }

    /** Decodes a binary message; as {@link #decode(List, String)}. */
    @Nullable
    Object decode(List<CoderType<Decoder>> decoders, ByteBuffer bytes) throws DecodeException {
        for (CoderType<Decoder> type : decoders) {
            Decoder decoder = decoder(type.coder(), null, bytes);
            try {
                if (type.form() == CoderTypes.Form.BINARY_STREAM) {
                    return ((Decoder.BinaryStream<?>) decoder).decode(new OctetStream(bytes.duplicate()));
                }
                Decoder.Binary<?> plain = (Decoder.Binary<?>) decoder;
                if (plain.willDecode(bytes.duplicate())) {
                    return plain.decode(bytes.duplicate());
                }
            } catch (IOException | RuntimeException e) {
                throw new DecodeException(bytes, type.coder().getName() + " failed: " + e, e);
            }
        }
        throw new DecodeException(bytes, "None of the endpoint's decoders accepts this message (willDecode).");
    }

    private Decoder decoder(Class<? extends Decoder> type, @Nullable String text, @Nullable ByteBuffer bytes)
            throws DecodeException {
        try {
            return (Decoder) instance(type);
        } catch (ReflectiveOperationException | RuntimeException e) {
            String why = type.getName() + " cannot be instantiated: " + cause(e);
            throw text != null ? new DecodeException(text, why, cause(e)) : new DecodeException(bytes, why, cause(e));
        }
    }

    private static Throwable cause(Exception e) {
        Throwable cause = e instanceof InvocationTargetException ? e.getCause() : null;
        return cause == null ? e : cause;
    }

    private synchronized Object instance(Class<?> type) throws ReflectiveOperationException {
        if (destroyed) {
            throw new IllegalStateException("the session has ended, so its encoders and decoders have been destroyed");
        }
        Map<Class<?>, Object> known = instances;
        if (known == null) {
            known = new LinkedHashMap<>(2);
            instances = known;
        }
        Object coder = known.get(type);
        if (coder == null) {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            coder = constructor.newInstance();
            if (coder instanceof Encoder encoder) {
                encoder.init(config);
            }
            if (coder instanceof Decoder decoder && !(coder instanceof Encoder)) {
                decoder.init(config);
            }
            known.put(type, coder);
        }
        return coder;
    }

    /** Destroys the instances. Called when the session has ended, after the endpoint was notified. */
    void destroy() {
        Map<Class<?>, Object> known;
        synchronized (this) {
            known = instances;
            instances = null;
            destroyed = true;
        }
        if (known != null) {
            known.values().forEach(Coders::destroy);
        }
    }

    private static void destroy(Object coder) {
        try {
            if (coder instanceof Encoder encoder) {
                encoder.destroy();
            }
            if (coder instanceof Decoder decoder && !(coder instanceof Encoder)) {
                decoder.destroy();
            }
        } catch (RuntimeException e) {
            WebSocketLog.ENDPOINTS.coderNotDestroyed(coder.getClass().getName(), e);
        }
    }

    // Unchecked: the types were checked when the endpoint was deployed.

    @SuppressWarnings("unchecked")
    private static Encoder.Text<Object> text(Encoder encoder) {
        return (Encoder.Text<Object>) encoder;
    }

    @SuppressWarnings("unchecked")
    private static Encoder.Binary<Object> binary(Encoder encoder) {
        return (Encoder.Binary<Object>) encoder;
    }

    @SuppressWarnings("unchecked")
    private static Encoder.TextStream<Object> textStream(Encoder encoder) {
        return (Encoder.TextStream<Object>) encoder;
    }

    @SuppressWarnings("unchecked")
    private static Encoder.BinaryStream<Object> binaryStream(Encoder encoder) {
        return (Encoder.BinaryStream<Object>) encoder;
    }
}
