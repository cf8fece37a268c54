package io.millrace.standalone.config.xml;

/**
 * A problem of a configuration file.
 *
 * @param line counted from 1; 0 if it concerns the whole file
 */
public record Problem(Severity severity, String file, int line, String text) {

    public enum Severity {
        /** The server starts, but may not work as intended. */
        WARNING("warning"),
        /** The server starts without one of its ports, as Tomcat would. */
        PORT("error"),
        /** The server does not start. */
        ERROR("error");

        private final String label;

        Severity(String label) {
            this.label = label;
        }
    }

    Problem with(Severity other) {
        return new Problem(other, file, line, text);
    }

    /** In the format that editors recognize: {@code server.xml:17: error: …}. */
    @Override
    public String toString() {
        return file + ":" + (line > 0 ? line + ":" : "") + " " + severity.label + ": " + text
                + (severity == Severity.PORT ? "; this port is not opened" : "");
    }
}
