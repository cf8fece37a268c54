package io.millrace.websocket.jsr;

import io.millrace.io.Completion;
import io.millrace.websocket.PreparedMessage;
import io.millrace.websocket.WebSocketConnection;
import org.jspecify.annotations.Nullable;

/**
 * Recognises a broadcast: the same String object, sent to one session after the other, is encoded and compressed once, as a {@link
 * PreparedMessage}; JSR 356 has no word for it. Any thread.
 *
 * <p>Keeps the last text that was sent and the frames of the last that was sent twice, until others take their places: at most 1 MiB for an
 * endpoint. Texts that are sent once cost two comparisons and a store.
 */
public final class RepeatedText {

    /** In chars. The frame of a shorter text costs no more than looking for it; longer texts would be kept for too little. */
    private static final int SHORTEST = 256;

    private static final int LONGEST = 64 * 1024;

    // Neither is volatile: both refer to immutable objects, and a thread that sees an old one encodes once more.
    private @Nullable String last;
    private @Nullable Frames repeated;

    /** The frames of a text. Final fields: a thread that sees the object sees them. */
    private record Frames(String text, PreparedMessage message) {

        /** Is it about this object? An equal one would have to be compared char by char. */
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(String other) {
            return text == other;
        }
    }

    void send(WebSocketConnection connection, String message, Completion completion) {
        PreparedMessage prepared = prepared(message);
        if (prepared == null) {
            connection.sendText(message, completion);
        } else {
            connection.send(prepared, completion);
        }
    }

    /** The frames of a text, or null if it was not the last one that was sent. */
    @SuppressWarnings("ReferenceEquality") // see Frames.isOf
    private @Nullable PreparedMessage prepared(String message) {
        if (message.length() < SHORTEST || message.length() > LONGEST) {
            return null;
        }
        Frames known = repeated;
        if (known != null && known.isOf(message)) {
            return known.message();
        }
        if (last != message) {
            last = message;
            return null;
        }
        PreparedMessage prepared = PreparedMessage.shortLived(message);
        repeated = new Frames(message, prepared);
        return prepared;
    }
}
