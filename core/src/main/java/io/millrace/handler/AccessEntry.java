package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Outcome;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/**
 * What the log knows of a request that has ended.
 *
 * @param began when it arrived, in milliseconds since 1970
 * @param request null if it was refused before it was understood
 * @param thread the name of the thread it ended on
 * @param user who asked, as far as it is known
 * @param commitMillis from its arrival to the first byte of its response; -1 if nobody took it down
 */
record AccessEntry(
        long began,
        @Nullable RequestHead request,
        @Nullable ResponseHead response,
        Outcome outcome,
        ConnectionInfo connection,
        String thread,
        @Nullable String user,
        long commitMillis) {

    static AccessEntry of(
            HttpExchange exchange, Outcome outcome, long began, RequestHead request, ConnectionInfo connection) {
        Long committed = exchange.attributes().get(AccessLog.COMMITTED);
        return new AccessEntry(
                began,
                request,
                exchange.response(),
                outcome,
                connection,
                Thread.currentThread().getName(),
                exchange.attributes().get(AccessLog.USER),
                committed == null ? -1 : committed - began);
    }

    static AccessEntry refused(int status, ConnectionInfo connection) {
        return new AccessEntry(
                System.currentTimeMillis(),
                null,
                null,
                new Outcome(status, 0, 0, null),
                connection,
                Thread.currentThread().getName(),
                null,
                -1);
    }
}
