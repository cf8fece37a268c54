package io.millrace.standalone.cli;

import io.millrace.http.Authority;
import org.jspecify.annotations.Nullable;

/**
 * An address that an operator has written as {@code HOST:PORT}: {@code app1:8990}, {@code 127.0.0.1:8990}, {@code [::1]:8990}.
 *
 * @param host a name, or an address without brackets
 * @param port 0 to 65,535
 */
public record HostPort(String host, int port) {

    /** What a message says that it expected. */
    public static final String FORM =
            "expected HOST:PORT, such as 127.0.0.1:8990, with an IPv6 address in brackets: [::1]:8990";

    /** Parses the text; null if it is none. An IPv6 address without brackets is none, since its end could be the port. */
    public static @Nullable HostPort parse(String text) {
        if (!Authority.isValidWithPort(text)) {
            return null;
        }
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, colon);
        return new HostPort(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                Integer.parseInt(text.substring(colon + 1)));
    }
}
