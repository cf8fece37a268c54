package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Outcome;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndUser;
import io.millrace.protocol.RefusedRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the log knows of a request that has ended.
 *
 * @param began when it arrived, in milliseconds since 1970
 * @param request null if it was refused before it was understood
 * @param refusedLine the request line of one that was refused, as it was sent; null otherwise
 * @param thread the name of the thread it ended on
 * @param user who asked, as far as it is known
 * @param session the id of the session it belongs to, if there is one
 * @param commitMillis from its arrival to the first byte of its response; -1 if it was not recorded
 * @param backend whom it was passed on to, if it was
 * @param notes what its application said of it, if a log asked
 */
record AccessEntry(
        long began,
        @Nullable RequestHead request,
        @Nullable String refusedLine,
        @Nullable ResponseHead response,
        Outcome outcome,
        ConnectionInfo connection,
        String thread,
        @Nullable String user,
        @Nullable String session,
        long commitMillis,
        @Nullable BackendTrace backend,
        @Nullable AccessNotes notes) {

    static AccessEntry of(
            HttpExchange exchange, Outcome outcome, long began, RequestHead request, ConnectionInfo connection) {
        BackendTrace trace = exchange.attributes().get(BackendTrace.KEY);
        if (trace != null) {
            trace.ended();
        }
        Long committed = exchange.attributes().get(AccessLog.COMMITTED);
        return new AccessEntry(
                began,
                request,
                null,
                exchange.response(),
                outcome,
                connection,
                Thread.currentThread().getName(),
                user(exchange, connection),
                exchange.attributes().get(AccessLog.SESSION),
                committed == null ? -1 : committed - began,
                trace,
                exchange.attributes().get(AccessNotes.KEY));
    }

    /** When its response had been sent, in milliseconds since 1970. */
    long ended() {
        return began + TimeUnit.NANOSECONDS.toMillis(outcome.nanos());
    }

    /** What its application says; null if it has not got it, or was not asked. */
    @Nullable
    String note(AccessNotes.Wanted wanted) {
        return notes == null ? null : notes.value(wanted);
    }

    /** Whom we have logged in, or a front end has. */
    private static @Nullable String user(HttpExchange exchange, ConnectionInfo connection) {
        String known = exchange.attributes().get(AccessLog.USER);
        FrontEnd frontEnd = known == null ? connection.frontEnd() : null;
        FrontEndUser relayed = frontEnd == null ? null : frontEnd.notes().user();
        return relayed == null ? known : relayed.name();
    }

    static AccessEntry refused(RefusedRequest refused) {
        return new AccessEntry(
                System.currentTimeMillis(),
                null,
                refused.line(),
                null,
                new Outcome(refused.status(), 0, 0, null),
                refused.connection(),
                Thread.currentThread().getName(),
                null,
                null,
                -1,
                null,
                null);
    }
}
