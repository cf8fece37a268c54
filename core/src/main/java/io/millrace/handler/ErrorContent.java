package io.millrace.handler;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * The content of an error response, independent of its format.
 *
 * @param description the meaning of the status; null if the message is that
 * @param reference identifies the failure in the log; null if it was not logged
 * @param request the id of the request; null unless requests have ids
 * @param trace the stack trace; null unless details are enabled
 * @param server the server's name; null to omit it
 */
record ErrorContent(
        int status,
        String message,
        @Nullable String description,
        @Nullable String reference,
        @Nullable String request,
        @Nullable String trace,
        @Nullable String server) {

    /** The content that the report permits. */
    static ErrorContent of(
            ErrorReport report,
            int status,
            @Nullable String message,
            @Nullable Throwable thrown,
            @Nullable String reference,
            @Nullable String request) {
        String meaning = StatusMeaning.sentence(status);
        if (!report.showsDetails()) {
            return new ErrorContent(status, meaning, null, reference, request, null, report.server());
        }
        String shown = message != null || thrown == null ? message : StackText.message(thrown);
        return new ErrorContent(
                status,
                shown == null ? meaning : shown,
                shown == null ? null : meaning,
                reference,
                request,
                thrown == null ? null : StackText.of(thrown),
                report.server());
    }

    /** Formats throwables. If a method of an application's throwable throws, its text is omitted. */
    private static final class StackText {

        /** In characters. The trace of a stack overflow has thousands of frames. */
        private static final int LIMIT = 32_768;

        private StackText() {}

        /** The stack trace with causes. */
        static String of(Throwable thrown) {
            StringWriter text = new StringWriter();
            try (PrintWriter writer = new PrintWriter(text)) {
                thrown.printStackTrace(writer);
            } catch (RuntimeException broken) {
                return thrown.getClass().getName();
            }
            StringBuffer all = text.getBuffer();
            return (all.length() > LIMIT ? all.substring(0, LIMIT) + "..." : all.toString())
                    .replace("\r\n", "\n")
                    .stripTrailing();
        }

        /** The first line of the message; null if there is none. */
        static @Nullable String message(Throwable thrown) {
            try {
                String message = thrown.getMessage();
                return message == null || message.isBlank()
                        ? null
                        : message.strip().lines().findFirst().orElse(null);
            } catch (RuntimeException broken) {
                return null;
            }
        }
    }
}
