package io.millrace.standalone.config.xml;

/**
 * A problem of a configuration file.
 *
 * @param line counted from 1; 0 if it concerns the whole file
 */
public record Problem(Severity severity, String file, int line, String text) {

    public enum Severity {
        /** The server starts, but may not work as intended. */
        WARNING("warning", ""),
        /** The server starts without one of its ports, as Tomcat would. */
        PORT("error", "; this port is not opened"),
        /** The application starts, and what needs a login is not served. */
        REALM("error", "; nobody can log in by this Realm"),
        /** The application starts, and sessions that the store has, or should have, cannot be used. */
        STORE("error", "; no session can be stored"),
        /** What is read does not start: the server, or the application of a Context. */
        ERROR("error", "");

        private final String label;
        private final String consequence;

        Severity(String label, String consequence) {
            this.label = label;
            this.consequence = consequence;
        }

        /** Whether it is an error that costs a part only. */
        public boolean isPartial() {
            return !consequence.isEmpty();
        }
    }

    Problem with(Severity other) {
        return new Problem(other, file, line, text);
    }

    /** In the format that editors recognize: {@code server.xml:17: error: …}. */
    @Override
    public String toString() {
        return file + ":" + (line > 0 ? line + ":" : "") + " " + severity.label + ": " + text + severity.consequence;
    }
}
