package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.Outcome;
import io.millrace.exchange.RequestId;
import io.millrace.handler.AccessNotes.Source;
import io.millrace.handler.AccessNotes.Wanted;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndUser;
import io.millrace.io.Turns;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.RefusedRequest;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Logs one line for each request, on a writer thread. Requests only add an entry to a bounded queue; the lines are
 * formatted on the writer thread.
 */
public final class AccessLog implements AutoCloseable {

    /** The name of the authenticated user; set by the code that authenticates. */
    public static final AttributeKey<String> USER = AttributeKey.of("user", String.class);

    /** The id of the request's session; set by the code that manages sessions. */
    public static final AttributeKey<String> SESSION = AttributeKey.of("session id", String.class);

    /**
     * Set if a relay behind this log has replaced the client's address, so that lines may show it, if the log is
     * configured to.
     */
    public static final AttributeKey<Boolean> RELAYED = AttributeKey.of("relayed", Boolean.class);

    /** When the first byte of the response was sent, in milliseconds since 1970. */
    private static final AttributeKey<Long> COMMITTED = AttributeKey.of("time of commit", Long.class);

    private final AccessWriter writer;
    private final AccessFormat format;
    private final Condition condition;
    private final boolean relayed;

    AccessLog(AccessWriter writer, AccessFormat format, Condition condition, boolean relayed) {
        this.writer = writer;
        this.format = format;
        this.condition = condition;
        this.relayed = relayed;
    }

    /** Configures a log; by default in the {@code common} format, to standard output. */
    public static AccessLogBuilder builder() {
        return new AccessLogBuilder();
    }

    /** A handler that logs its requests and passes them to another one. */
    public HttpHandler wrap(HttpHandler next) {
        return (NonBlockingHandler) exchange -> {
            note(exchange);
            Route.follow(exchange, next);
        };
    }

    /** A dispatcher that logs the requests that a protocol rejects, which never reach a handler. */
    public Dispatcher wrap(Dispatcher next) {
        return new Dispatcher() {
            @Override
            public void dispatch(RequestHead request, HttpStream stream) {
                next.dispatch(request, stream);
            }

            @Override
            public void refused(RefusedRequest request) {
                next.refused(request); // gives it its id
                offer(AccessEntry.refused(request));
            }

            @Override
            public Dispatcher ofConnection(int most, Runnable reached) {
                return wrap(next.ofConnection(most, reached));
            }

            @Override
            public Turns turns() {
                return next.turns();
            }
        };
    }

    /** The number of lines that were dropped because the queue was full. {@link DroppedLines} counts all that are lost. */
    public long dropped() {
        return writer.dropped();
    }

    /** Writes the queued entries and ends the writer thread. */
    @Override
    public void close() {
        writer.close();
    }

    private void note(HttpExchange exchange) {
        long began = System.currentTimeMillis();
        RequestHead head = exchange.request();
        ConnectionInfo connection = exchange.channel().info();
        AccessNotes.want(exchange, format.wanted());
        AccessNotes.want(exchange, condition.wanted());
        exchange.onEnd(outcome -> offer(
                relayed && exchange.attribute(RELAYED) != null
                        ? entry(
                                exchange,
                                outcome,
                                began,
                                before(exchange, head),
                                exchange.channel().info())
                        : entry(exchange, outcome, began, head, connection)));
        if (format.commitTime()) {
            exchange.output().wrap(sink -> (piece, last, completion) -> {
                if (exchange.attribute(COMMITTED) == null) {
                    exchange.attributes().put(COMMITTED, System.currentTimeMillis());
                }
                sink.write(piece, last, completion);
            });
        }
    }

    private static AccessEntry entry(
            HttpExchange exchange, Outcome outcome, long began, RequestHead request, ConnectionInfo connection) {
        BackendTrace trace = exchange.attribute(BackendTrace.KEY);
        if (trace != null) {
            trace.ended();
        }
        Long committed = exchange.attribute(COMMITTED);
        return new AccessEntry(
                began,
                request,
                null,
                exchange.response(),
                outcome,
                connection,
                Thread.currentThread().getName(),
                user(exchange, connection),
                exchange.attribute(SESSION),
                committed == null ? -1 : committed - began,
                trace,
                exchange.attribute(AccessNotes.KEY),
                RequestId.of(exchange));
    }

    /** The user authenticated by this server or by a front end. */
    private static @Nullable String user(HttpExchange exchange, ConnectionInfo connection) {
        String known = exchange.attribute(USER);
        FrontEnd frontEnd = known == null ? connection.frontEnd() : null;
        FrontEndUser relayed = frontEnd == null ? null : frontEnd.notes().user();
        return relayed == null ? known : relayed.name();
    }

    private void offer(AccessEntry entry) {
        if (condition.admits(entry)) {
            writer.offer(entry);
        }
    }

    /** The request as it was before a front end relayed it, but with the received fields, which are the evidence. */
    private static RequestHead before(HttpExchange exchange, RequestHead arrived) {
        RequestHead presented = exchange.request();
        return presented.with(presented.scheme(), presented.authority(), arrived.headers());
    }

    /**
     * Selects the requests that an access log writes, by attributes of the Servlet API at their end.
     *
     * @param present an attribute that they must have; null for no condition
     * @param absent an attribute that they must not have; null for no condition
     */
    record Condition(@Nullable Wanted present, @Nullable Wanted absent) {

        static final Condition ALWAYS = new Condition(null, null);

        static Condition of(@Nullable String present, @Nullable String absent) {
            return new Condition(attribute(present), attribute(absent));
        }

        private static @Nullable Wanted attribute(@Nullable String name) {
            return name == null ? null : new Wanted(Source.REQUEST, name);
        }

        boolean admits(AccessEntry entry) {
            return (present == null || entry.note(present) != null) && (absent == null || entry.note(absent) == null);
        }

        Set<Wanted> wanted() {
            return Stream.of(present, absent).filter(one -> one != null).collect(Collectors.toUnmodifiableSet());
        }
    }
}
