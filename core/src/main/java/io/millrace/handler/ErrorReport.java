package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How errors are reported where no error page of an application applies, like Tomcat's ErrorReportValve and
 * JsonErrorReportValve. Without one, a response contains the meaning of its status only. The report closest to the error
 * applies. Immutable.
 */
public final class ErrorReport {

    /** The report that the exchange has passed last. */
    static final AttributeKey<ErrorReport> KEY = AttributeKey.of("error report", ErrorReport.class);

    private static final int ANY_STATUS = 0;

    /** Limits the search; causes may be cyclic. */
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

    /** HTML, JSON or text, as the client prefers; without details. */
    public static ErrorReport negotiated() {
        return new ErrorReport(false, false, null, Map.of(), Map.of());
    }

    /** JSON for all clients; without details. */
    public static ErrorReport json() {
        return new ErrorReport(true, false, null, Map.of(), Map.of());
    }

    /** The same report with messages and stack traces. They reveal how the application is built: for development only. */
    public ErrorReport withDetails() {
        return new ErrorReport(json, true, server, byStatus, byException);
    }

    /** The same report with the server's name. */
    public ErrorReport withServer(String name) {
        return new ErrorReport(json, details, name, byStatus, byException);
    }

    /**
     * The same report with a document for a status.
     *
     * @param status 0 for every status without a document of its own
     * @param html encoded in UTF-8
     */
    public ErrorReport withPage(int status, byte[] html) {
        return new ErrorReport(json, details, server, with(byStatus, status, html), byException);
    }

    /**
     * The same report with a document for an exception of the application.
     *
     * @param type the name of a class, which includes its subclasses
     * @param html encoded in UTF-8
     */
    public ErrorReport withPage(String type, byte[] html) {
        return new ErrorReport(json, details, server, byStatus, with(byException, type, html));
    }

    private static <K> Map<K, byte[]> with(Map<K, byte[]> pages, K key, byte[] page) {
        Map<K, byte[]> more = new HashMap<>(pages);
        more.put(key, page.clone());
        return Map.copyOf(more);
    }

    /** A handler that reports the errors of another one. */
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

    /** The document for the exception or its nearest cause that has one, otherwise for the status; null if there is none. */
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
