package io.millrace.handler;

import io.millrace.exchange.Outcome;
import io.millrace.exchange.RequestId;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.protocol.RefusedRequest;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The data of a completed request for the access log.
 *
 * @param began the time of its arrival, in milliseconds since 1970
 * @param request null if the protocol rejected it
 * @param refusedLine the request line of a rejected request, as received; null otherwise
 * @param thread the name of the thread on which it ended
 * @param user the authenticated user; null if unknown
 * @param session the id of its session; null if there is none
 * @param commitMillis the time from its arrival to the first byte of its response; -1 if it was not recorded
 * @param backend null if the request was not forwarded
 * @param notes values of the application; null if no log wants any
 * @param requestId null unless the connector gives ids
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
        @Nullable AccessNotes notes,
        @Nullable RequestId requestId) {

    /** The time when the response had been sent, in milliseconds since 1970. */
    long ended() {
        return began + TimeUnit.NANOSECONDS.toMillis(outcome.nanos());
    }

    /** A value of the application; null if the application has none, or did not run. */
    @Nullable
    String note(AccessNotes.Wanted wanted) {
        return notes == null ? null : notes.value(wanted);
    }

    /** The entry of a request that its protocol rejects. */
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
                null,
                RequestId.in(refused.fields()));
    }
}
