package io.millrace.handler;

import org.jspecify.annotations.Nullable;

/**
 * The content of an error response, independent of its format.
 *
 * @param description the meaning of the status; null if the message is that
 * @param reference identifies the failure in the log; null if it was not logged
 * @param trace the stack trace; null unless details are enabled
 * @param server the server's name; null to omit it
 */
record ErrorContent(
        int status,
        String message,
        @Nullable String description,
        @Nullable String reference,
        @Nullable String trace,
        @Nullable String server) {

    /** The content that the report permits. */
    static ErrorContent of(
            ErrorReport report,
            int status,
            @Nullable String message,
            @Nullable Throwable thrown,
            @Nullable String reference) {
        String meaning = StatusMeaning.sentence(status);
        if (!report.showsDetails()) {
            return new ErrorContent(status, meaning, null, reference, null, report.server());
        }
        String shown = message != null || thrown == null ? message : StackText.message(thrown);
        return new ErrorContent(
                status,
                shown == null ? meaning : shown,
                shown == null ? null : meaning,
                reference,
                thrown == null ? null : StackText.of(thrown),
                report.server());
    }
}
