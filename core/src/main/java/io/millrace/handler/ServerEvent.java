package io.millrace.handler;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An event of an {@link EventStream} (HTML Standard, 9.2.6). It is encoded once; streams to which the same one is sent share its bytes.
 * Immutable.
 */
public final class ServerEvent {

    private final String data;
    private final @Nullable String name;
    private final @Nullable String id;
    private final ByteBuffer encoded;

    private ServerEvent(String data, @Nullable String name, @Nullable String id) {
        requireLine("name", name);
        requireLine("id", id);
        this.data = data;
        this.name = name;
        this.id = id;
        encoded = encode();
    }

    private static void requireLine(String what, @Nullable String text) {
        if (text != null && text.chars().anyMatch(c -> c == '\n' || c == '\r' || c == 0)) {
            throw new IllegalArgumentException(
                    "the " + what + " of the event contains a line break or a NUL; expected one line");
        }
    }

    /**
     * An event of type {@code message}.
     *
     * @param data may have several lines
     */
    public static ServerEvent of(String data) {
        return new ServerEvent(data, null, null);
    }

    /**
     * The same with a type, for which pages listen.
     *
     * @throws IllegalArgumentException if it has several lines
     */
    public ServerEvent named(String value) {
        return new ServerEvent(data, value, id);
    }

    /**
     * The same with an id: a client that comes back sends that of its last event.
     *
     * @throws IllegalArgumentException if it has several lines
     */
    public ServerEvent withId(String value) {
        return new ServerEvent(data, name, value);
    }

    private ByteBuffer encode() {
        StringBuilder text = new StringBuilder(data.length() + 32);
        if (name != null) {
            text.append("event: ").append(name).append('\n');
        }
        if (id != null) {
            text.append("id: ").append(id).append('\n');
        }
        for (String line : data.split("\r\n|\r|\n", -1)) {
            text.append("data: ").append(line).append('\n');
        }
        return bytes(text.append('\n').toString());
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The bytes that are sent, to be read once. */
    ByteBuffer encoded() {
        return encoded.duplicate();
    }
}
