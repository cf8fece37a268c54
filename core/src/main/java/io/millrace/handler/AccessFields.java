package io.millrace.handler;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the {@code %} codes mean: those of Tomcat's AccessLogValve that make sense here. What is not known is a dash. */
final class AccessFields {

    private static final String KNOWN =
            "%a %A %b %B %{name}c %D %F %h %H %{name}i %I %l %m %{name}o %p %q %r %{name}r %s %S %t %T"
                    + " %u %U %v %X";

    private AccessFields() {}

    /** The field of one code; {@code argument} is what stood in braces before it, {@code pattern} is for complaints. */
    static AccessField field(char code, String argument, String pattern) {
        return switch (code) {
            case 'a' -> address(argument, pattern);
            case 'h' -> foreign(entry -> host(entry.connection().remote()));
            case 'A' -> foreign(entry -> host(entry.connection().local()));
            case 'b' -> (entry, line) -> size(entry.outcome().bytesSent(), line);
            case 'B' -> (entry, line) -> line.number(entry.outcome().bytesSent());
            case 'c' -> request(request -> CookieValue.of(request.headers(), argument));
            case 'D' ->
                (entry, line) -> line.number(
                        TimeUnit.NANOSECONDS.toMillis(entry.outcome().nanos()));
            case 'F' -> AccessFields::commitTime;
            case 'H' -> request(request -> request.version().toString());
            case 'i' -> request(request -> request.headers().get(argument));
            case 'I' -> foreign(AccessEntry::thread);
            case 'l' -> (entry, line) -> line.text("-");
            case 'm' -> request(RequestHead::method);
            case 'o' -> foreign(entry -> responseHeader(entry, argument));
            case 'p' -> port(argument, pattern);
            case 'q' -> (entry, line) -> query(entry.request(), line);
            case 'r' ->
                argument.isEmpty() ? foreign(AccessFields::requestLine) : foreign(entry -> attribute(argument, entry));
            case 's' -> status(argument, pattern);
            case 'S' -> foreign(AccessEntry::session);
            case 't' -> new AccessTime(argument);
            case 'T' ->
                (entry, line) ->
                        seconds(TimeUnit.NANOSECONDS.toMillis(entry.outcome().nanos()), line);
            case 'u' -> foreign(AccessEntry::user);
            case 'U' -> request(request -> request.path().raw());
            case 'v' -> request(request -> serverName(request.authority()));
            case 'X' -> (entry, line) -> line.text(connectionStatus(entry));
            default ->
                throw new IllegalArgumentException("The access log pattern \"" + pattern + "\" has %" + code
                        + ", which is not known; known are " + KNOWN);
        };
    }

    private static AccessField foreign(Function<AccessEntry, @Nullable String> value) {
        return (entry, line) -> {
            String text = value.apply(entry);
            if (text == null || text.isEmpty()) {
                line.text("-");
            } else {
                line.foreign(text);
            }
        };
    }

    private static AccessField request(Function<RequestHead, @Nullable String> value) {
        return foreign(entry -> entry.request() == null ? null : value.apply(entry.request()));
    }

    /** Of a backend, or of TLS. */
    private static @Nullable String attribute(String name, AccessEntry entry) {
        BackendTrace trace = entry.backend();
        String found = trace == null ? null : trace.named(name);
        return found == null ? TlsFacts.named(name, entry.connection()) : found;
    }

    private static @Nullable String requestLine(AccessEntry entry) {
        RequestHead request = entry.request();
        return request == null
                ? entry.refusedLine()
                : request.method() + " " + request.target() + " " + request.version();
    }

    /** Without the port; an IPv6 address keeps its brackets. */
    private static @Nullable String serverName(@Nullable String authority) {
        int colon = authority == null ? -1 : authority.lastIndexOf(':');
        return authority == null || colon <= authority.lastIndexOf(']') ? authority : authority.substring(0, colon);
    }

    private static @Nullable String responseHeader(AccessEntry entry, String name) {
        if (entry.response() == null) {
            return null;
        }
        Headers headers = entry.response().headers();
        return headers.contains(name) ? String.join(",", headers.all(name)) : null;
    }

    private static AccessField address(String which, String pattern) {
        return switch (which) {
            case "", "remote" -> foreign(entry -> host(entry.connection().remote()));
            case "peer", "c" ->
                foreign(entry -> host(entry.connection().direct().remote()));
            default ->
                throw new IllegalArgumentException("The access log pattern \"" + pattern + "\" has %{" + which
                        + "}a; expected remote or peer in the braces");
        };
    }

    private static AccessField status(String attribute, String pattern) {
        if (!attribute.isEmpty()) {
            throw new IllegalArgumentException("The access log pattern \"" + pattern + "\" has %{" + attribute
                    + "}s, but attributes of sessions are not logged; %S writes the session's id");
        }
        return (entry, line) -> line.number(entry.outcome().status());
    }

    /** As httpd and Tomcat write it: cut short, to be kept, or to be closed. */
    private static String connectionStatus(AccessEntry entry) {
        if (entry.outcome().failure() != null) {
            return "X";
        }
        boolean closed = entry.request() == null
                || entry.response() == null
                || !entry.request().version().equals(HttpVersion.HTTP_1_1)
                || asksForClose(entry.request().headers())
                || asksForClose(entry.response().headers());
        return closed ? "-" : "+";
    }

    private static boolean asksForClose(Headers headers) {
        return headers.all("Connection").stream()
                .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("close"));
    }

    private static AccessField port(String which, String pattern) {
        return switch (which) {
            case "", "local" ->
                (entry, line) -> line.number(portOf(entry.connection().local()));
            case "remote" ->
                (entry, line) -> line.number(portOf(entry.connection().remote()));
            default ->
                throw new IllegalArgumentException("The access log pattern \"" + pattern + "\" has %{" + which
                        + "}p; expected local or remote in the braces");
        };
    }

    private static void query(@Nullable RequestHead request, LineBuffer line) {
        if (request != null && request.query() != null) {
            line.text("?").foreign(request.query());
        }
    }

    private static void size(long bytes, LineBuffer line) {
        if (bytes == 0) {
            line.text("-");
        } else {
            line.number(bytes);
        }
    }

    private static void commitTime(AccessEntry entry, LineBuffer line) {
        if (entry.commitMillis() < 0) {
            line.text("-");
        } else {
            line.number(entry.commitMillis());
        }
    }

    /** With three decimals, as Tomcat writes it. */
    private static void seconds(long millis, LineBuffer line) {
        line.number(millis / 1000).text(".");
        String fraction = Long.toString(1000 + millis % 1000);
        line.text(fraction.substring(1));
    }

    private static String host(SocketAddress address) {
        if (address instanceof UnixDomainSocketAddress) {
            return "127.0.0.1"; // a process of this machine
        }
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : address.toString();
    }

    private static long portOf(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }
}
