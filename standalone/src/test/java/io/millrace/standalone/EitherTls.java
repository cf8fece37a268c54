package io.millrace.standalone;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The implementations of TLS, for tests that give each a port of one server. Its text is the attribute's. */
enum EitherTls {
    JSSE,
    OPENSSL;

    /** A piece of server.xml for each, in order. */
    static String forEach(Function<EitherTls, String> xml) {
        return Stream.of(values()).map(xml).collect(Collectors.joining());
    }

    /** Its own of the ports of such a server. */
    int port(List<Integer> ports) {
        return ports.get(List.of(values()).indexOf(this));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
