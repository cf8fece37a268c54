package io.millrace.standalone;

import io.millrace.testkit.Connectors;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The implementations of TLS, for tests that give each a port of one server. Its text is the attribute's. */
enum EitherTls {
    JSSE,
    OPENSSL;

    /** Those that are installed: the directory of OpenSSL may be missing. */
    static List<EitherTls> installed() {
        return Connectors.tls().stream().map(each -> valueOf(each.name())).toList();
    }

    /** A piece of server.xml for each, in order. */
    static String forEach(Function<EitherTls, String> xml) {
        return installed().stream().map(xml).collect(Collectors.joining());
    }

    /** Its own of the ports of such a server. */
    int port(List<Integer> ports) {
        return ports.get(installed().indexOf(this));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
