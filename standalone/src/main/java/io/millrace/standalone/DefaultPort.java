package io.millrace.standalone;

import io.millrace.standalone.cli.OperatorException;
import org.jspecify.annotations.Nullable;

/** The port where nothing else says one. */
final class DefaultPort {

    static final int HIGHEST = 65_535;

    private static final int NUMBER = 8080;

    private DefaultPort() {}

    /** From MILLRACE_HTTP_PORT, else 8080. */
    static int get() throws OperatorException {
        return of(System.getenv("MILLRACE_HTTP_PORT"));
    }

    static int of(@Nullable String variable) throws OperatorException {
        if (variable == null || variable.isBlank()) {
            return NUMBER;
        }
        try {
            int port = Integer.parseInt(variable.strip());
            if (port >= 0 && port <= HIGHEST) {
                return port;
            }
        } catch (NumberFormatException e) {
            // said below, as a number out of range is
        }
        throw new OperatorException("MILLRACE_HTTP_PORT=" + variable + ": expected a number from 0 to " + HIGHEST);
    }
}
