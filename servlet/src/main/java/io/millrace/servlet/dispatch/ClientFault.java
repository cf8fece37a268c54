package io.millrace.servlet.dispatch;

import io.millrace.exchange.ClientClosedException;
import io.millrace.protocol.ProtocolException;
import io.millrace.servlet.form.FormException;
import org.jspecify.annotations.Nullable;

/**
 * What the application threw because of what its client did. That is no failure of the application: it is answered with
 * the status that says so, if anybody is there, and is no error in the log.
 */
enum ClientFault {
    /** The connection broke while the request was read or the response was sent. */
    GONE,
    /** The body is malformed, too large or too slow. */
    REFUSED,
    /** The same of a form, for which the operator has set limits. */
    FORM;

    /** How deep frameworks may have wrapped an exception. */
    private static final int MAX_CAUSES = 16;

    /** Null if it is not the client's fault. */
    static @Nullable ClientFault of(Throwable thrown) {
        Throwable cause = cause(thrown);
        if (cause instanceof FormException) {
            return FORM;
        }
        if (cause instanceof ProtocolException) {
            return REFUSED;
        }
        return cause == null ? null : GONE;
    }

    /** The exception that says what the client did; null if none does. */
    static @Nullable Throwable cause(Throwable thrown) {
        Throwable at = thrown;
        for (int i = 0; i < MAX_CAUSES && at != null; i++) {
            if (at instanceof FormException || at instanceof ProtocolException || at instanceof ClientClosedException) {
                return at;
            }
            at = at.getCause();
        }
        return null;
    }
}
