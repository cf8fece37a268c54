package io.millrace.exchange;

import io.millrace.protocol.ProtocolException;
import org.jspecify.annotations.Nullable;

/** Whose fault it is that an exchange failed. */
enum Blame {
    /** It sent what can't be served: answered with the status that says so, and not worth a line in the log. */
    CLIENT_WRONG,
    /** The connection broke: nobody is there to be answered. */
    CLIENT_GONE,
    /** A handler failed: 500, and one line for those who must mend it. */
    OURS;

    /** Frameworks wrap exceptions; nobody wraps them deeper than this. */
    private static final int MAX_CAUSES = 16;

    static Blame of(Throwable failure, ExchangeOutput output, @Nullable ExchangeInput input) {
        if (find(failure, ProtocolException.class) != null) {
            return CLIENT_WRONG;
        }
        boolean broken = output.state() == ResponseState.FAILED || input != null && input.isBroken();
        return broken || find(failure, ClientClosedException.class) != null ? CLIENT_GONE : OURS;
    }

    /** What to answer. */
    int status(Throwable failure) {
        ProtocolException refusal = find(failure, ProtocolException.class);
        return refusal == null ? 500 : refusal.status();
    }

    private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
        Throwable at = failure;
        for (int i = 0; i < MAX_CAUSES && at != null; i++) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
            at = at.getCause();
        }
        return null;
    }
}
