package io.millrace.forwarded;

import io.millrace.exchange.HttpHandler;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/** Works out what a request was before a front end relayed it. Any thread, many at once; never blocks. */
@FunctionalInterface
public interface Relay {

    /**
     * What the request was; null if it is to be taken as it arrived: nobody relayed it, or nobody who is trusted.
     *
     * @param head as it arrived; not to be changed, {@linkplain io.millrace.http.Headers#copy its fields} neither
     */
    @Nullable
    RelayedRequest before(RequestHead head, ConnectionInfo connection);

    /** Does the access log tell of the request as it was before? An access log decides whether it cares. */
    default boolean isLogged() {
        return false;
    }

    /** Gives a handler requests as they were before. */
    default HttpHandler wrap(HttpHandler next) {
        return new RelayHandler(this, next);
    }
}
