package io.millrace.servlet.dispatch;

import io.millrace.exchange.ClientClosedException;
import io.millrace.protocol.ProtocolException;
import io.millrace.servlet.form.FormException;
import org.jspecify.annotations.Nullable;

/**
 * Exceptions of the application that its client caused. They get a 4xx status, unless the connection is lost, and are not logged
 * as errors.
 */
enum ClientFault {
    /** The connection was lost while the request was read or the response was sent. */
    GONE,
    /** The body is malformed, too large or too slow. */
    REFUSED,
    /** A form is malformed or exceeds the operator's limits. */
    FORM;

    /** How often frameworks may have wrapped an exception. */
    static final int MAX_CAUSES = 16;

    /** The client's fault; null for other exceptions. */
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

    /** The cause that is the client's fault; null if there is none. */
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
