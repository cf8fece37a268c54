package io.millrace.websocket.jsr;

import io.millrace.io.Completion;
import io.millrace.websocket.PreparedMessage;
import io.millrace.websocket.WebSocketConnection;
import org.jspecify.annotations.Nullable;

/**
 * Detects broadcasts, for which JSR 356 has no API: a String object that is sent to several sessions in succession is encoded and
 * compressed once, as a {@link PreparedMessage}. Thread-safe.
 *
 * <p>Keeps the last text that was sent, and the frames of the last one that was sent twice, until others replace them: at most 1
 * MiB for each endpoint. A text that is sent once costs two comparisons and a store.
 */
public final class RepeatedText {

    /** In chars. Encoding a shorter text costs no more than this detection; keeping a longer one would cost too much memory. */
    private static final int MIN_LENGTH = 256;

    private static final int MAX_LENGTH = 64 * 1024;

    // Not volatile: both refer to immutable objects, and a thread that sees a stale one encodes once more.
    private @Nullable String last;
    private @Nullable Frames repeated;

    /** The frames of a text. Safely published, because its fields are final. */
    private record Frames(String text, PreparedMessage message) {

        /** Whether these are the frames of this object. Equality would be compared char by char. */
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

    /** The frames of a text; null if it is not the text that was sent last. */
    @SuppressWarnings("ReferenceEquality") // see Frames.isOf
    private @Nullable PreparedMessage prepared(String message) {
        if (message.length() < MIN_LENGTH || message.length() > MAX_LENGTH) {
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
