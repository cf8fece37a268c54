package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How errors of the requests that pass it are reported, where no error page of an application is: what Tomcat's ErrorReportValve
 * and JsonErrorReportValve say. Without one, a response says what its status means and nothing else. The report nearest to
 * where the error occurs counts. Immutable.
 */
public final class ErrorReport {

    /** The one that the exchange has met last. */
    static final AttributeKey<ErrorReport> KEY = AttributeKey.of("error report", ErrorReport.class);

    private static final int ANY_STATUS = 0;

    /** Causes may form a circle. */
    private static final int MAX_CAUSES = 16;

    private final boolean json;
    private final boolean details;
    private final @Nullable String server;
    private final Map<Integer, byte[]> byStatus;
    private final Map<String, byte[]> byException;

    private ErrorReport(
            boolean json,
            boolean details,
            @Nullable String server,
            Map<Integer, byte[]> byStatus,
            Map<String, byte[]> byException) {
        this.json = json;
        this.details = details;
        this.server = server;
        this.byStatus = byStatus;
        this.byException = byException;
    }

    /** A page, JSON or text, as the client prefers; without details. */
    public static ErrorReport negotiated() {
        return new ErrorReport(false, false, null, Map.of(), Map.of());
    }

    /** JSON for all clients; without details. */
    public static ErrorReport json() {
        return new ErrorReport(true, false, null, Map.of(), Map.of());
    }

    /** The same with messages and stack traces, which tell attackers how the application is built: for development. */
    public ErrorReport withDetails() {
        return new ErrorReport(json, true, server, byStatus, byException);
    }

    /** The same with the name of the server. */
    public ErrorReport withServer(String name) {
        return new ErrorReport(json, details, name, byStatus, byException);
    }

    /**
     * The same with a document of its own for a status.
     *
     * @param status 0: all that have none
     * @param html in UTF-8
     */
    public ErrorReport withPage(int status, byte[] html) {
        return new ErrorReport(json, details, server, with(byStatus, status, html), byException);
    }

    /**
     * The same with a document of its own for what an application throws.
     *
     * @param type the name of a class: it stands for its subclasses as well
     * @param html in UTF-8
     */
    public ErrorReport withPage(String type, byte[] html) {
        return new ErrorReport(json, details, server, byStatus, with(byException, type, html));
    }

    private static <K> Map<K, byte[]> with(Map<K, byte[]> pages, K key, byte[] page) {
        Map<K, byte[]> more = new HashMap<>(pages);
        more.put(key, page.clone());
        return Map.copyOf(more);
    }

    /** Reports the errors of the next handler. */
    public HttpHandler wrap(HttpHandler next) {
        NonBlockingHandler reporting = exchange -> {
            exchange.attributes().put(KEY, this);
            Route.follow(exchange, next);
        };
        return reporting;
    }

    boolean isJson() {
        return json;
    }

    boolean showsDetails() {
        return details;
    }

    @Nullable
    String server() {
        return server;
    }

    /** For what was thrown, or its nearest cause that has one, or else for the status; null if there is none. */
    byte @Nullable [] file(int status, @Nullable Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && !byException.isEmpty() && depth < MAX_CAUSES; depth++) {
            for (Class<?> type = cause.getClass(); type != null; type = type.getSuperclass()) {
                byte[] page = byException.get(type.getName());
                if (page != null) {
                    return page;
                }
            }
            cause = cause.getCause();
        }
        byte[] page = byStatus.get(status);
        return page != null ? page : byStatus.get(ANY_STATUS);
    }
}
