package io.millrace.protocol;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.io.ConnectionInfo;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A request that its protocol rejects and responds to, before it could be dispatched. Confined to the thread that rejects it.
 *
 * <p>The protocol passes it to {@link Dispatcher#refused}, then {@linkplain #log logs} it, and then sends the response with its
 * {@linkplain #fields fields}.
 */
public final class RefusedRequest {

    private final int status;
    private final String reason;
    private final @Nullable String line;
    private final ConnectionInfo connection;
    private final Headers fields = new Headers();
    private UnaryOperator<Runnable> around = UnaryOperator.identity();

    /**
     * A rejected request.
     *
     * @param status the status of the response
     * @param reason why it was rejected
     * @param line the request line as received so far, unescaped; null if nothing was received
     * @param connection the client's connection
     */
    public RefusedRequest(int status, String reason, @Nullable String line, ConnectionInfo connection) {
        this.status = status;
        this.reason = reason;
        this.line = line;
        this.connection = connection;
    }

    /** The status of the response. */
    public int status() {
        return status;
    }

    /** Why it was rejected. */
    public String reason() {
        return reason;
    }

    /** The request line as received so far, unescaped; null if nothing was received. */
    public @Nullable String line() {
        return line;
    }

    /** The client's connection. */
    public ConnectionInfo connection() {
        return connection;
    }

    /** Fields that the response has besides those of the protocol. */
    public Headers fields() {
        return fields;
    }

    /** Sets what is put around the task that logs the rejection, such as the id of the request. */
    public void around(UnaryOperator<Runnable> value) {
        around = value;
    }

    /** Runs the task that logs the rejection. */
    public void log(Runnable task) {
        around.apply(task).run();
    }

    /** The version at the end of its request line; HTTP/1.1 if it has none. */
    public HttpVersion version() {
        if (line != null) {
            for (HttpVersion each : HttpVersion.values()) {
                if (line.endsWith(each.toString())) {
                    return each;
                }
            }
        }
        return HttpVersion.HTTP_1_1;
    }
}
