package io.millrace.handler;

import org.jspecify.annotations.Nullable;

/**
 * What an error response says, whatever its form.
 *
 * @param description what the status means, where the message is another
 * @param reference what the log calls the failure
 * @param trace the stack trace, for a developer's eyes
 * @param server what answered
 */
record ErrorContent(
        int status,
        String message,
        @Nullable String description,
        @Nullable String reference,
        @Nullable String trace,
        @Nullable String server) {

    /** As much as the report shows. */
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
        String said = message != null || thrown == null ? message : StackText.message(thrown);
        return new ErrorContent(
                status,
                said == null ? meaning : said,
                said == null ? null : meaning,
                reference,
                thrown == null ? null : StackText.of(thrown),
                report.server());
    }
}
