package io.millrace.standalone.config.connector;

import static io.millrace.settings.SettingType.PORT;

import org.jspecify.annotations.Nullable;

/** The port of connectors that do not specify one. */
public final class DefaultPort {

    private static final String VARIABLE = "MILLRACE_HTTP_PORT";
    private static final int PLAIN = 8080;
    private static final int TLS = 8443;

    private DefaultPort() {}

    /**
     * Returns MILLRACE_HTTP_PORT, else 8080.
     *
     * @throws IllegalArgumentException if the variable is not a port
     */
    public static int get() {
        return of(System.getenv(VARIABLE), PLAIN);
    }

    /**
     * Returns MILLRACE_HTTP_PORT, else 8443.
     *
     * @throws IllegalArgumentException if the variable is not a port
     */
    public static int ofTls() {
        return of(System.getenv(VARIABLE), TLS);
    }

    static int of(@Nullable String variable, int otherwise) {
        if (variable == null || variable.isBlank()) {
            return otherwise;
        }
        Integer port = PORT.read(variable);
        if (port == null) {
            throw new IllegalArgumentException(VARIABLE + "=" + variable + ": expected " + PORT.expected());
        }
        return port;
    }
}
