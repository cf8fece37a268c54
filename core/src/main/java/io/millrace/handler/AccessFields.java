package io.millrace.handler;

import io.millrace.exchange.RequestId;
import io.millrace.handler.AccessNotes.Source;
import io.millrace.handler.AccessNotes.Wanted;
import io.millrace.http.Authority;
import io.millrace.http.CookieFields;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.net.IpLiteral;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Creates the fields of one pattern from its {@code %} codes, which are those of Tomcat's AccessLogValve, and collects what they
 * need of the request. An unknown value is written as a dash.
 */
final class AccessFields {

    private static final String KNOWN =
            "%a %A %b %B %{name}c %D %F %h %H %{name}i %I %l %m %{name}o %p %q %r %{name}r %s %{name}s %S %t"
                    + " %{format}t %T %u %U %v %X";

    /** The prefix of the attributes in which RemoteIpFilter stores the client's address and the original request. */
    private static final String RELAYED = "org.apache.catalina.AccessLog.";

    private final String pattern;
    private final AccessFormat.Settings settings;
    private final Set<Wanted> wanted = new HashSet<>();
    private boolean commitTime;

    /** @param pattern for error messages */
    AccessFields(String pattern, AccessFormat.Settings settings) {
        this.pattern = pattern;
        this.settings = settings;
    }

    /** The format of lines that consist of these fields. */
    AccessFormat format(List<AccessFormat.Field> fields, LineBuffer.Escape escape, String header) {
        return new AccessFormat(List.copyOf(fields), escape, commitTime, Set.copyOf(wanted), header);
    }

    /** The field of one code; {@code argument} is the text in the braces before it, or empty. */
    AccessFormat.Field field(char code, String argument) {
        return switch (code) {
            case 'a' -> address(argument);
            case 'h' -> relayed("RemoteHost", entry -> host(entry.connection().remote()));
            case 'A' -> localAddress();
            case 'b' -> (entry, line) -> size(entry.outcome().bytesSent(), line);
            case 'B' -> (entry, line) -> line.number(entry.outcome().bytesSent());
            case 'c' -> cookie(argument);
            case 'D' ->
                (entry, line) -> line.number(
                        TimeUnit.NANOSECONDS.toMillis(entry.outcome().nanos()));
            case 'F' -> commitTime();
            case 'H' ->
                relayed(
                        "Protocol",
                        entry -> entry.request() == null
                                ? null
                                : entry.request().version().toString());
            case 'i' -> requestHeader(argument);
            case 'I' -> threadName();
            case 'l' -> (entry, line) -> line.text("-");
            case 'm' -> method();
            case 'o' -> untrusted(entry -> responseHeader(entry, argument));
            case 'p' -> port(argument);
            case 'q' -> (entry, line) -> query(entry.request(), line);
            case 'r' -> argument.isEmpty() ? untrusted(AccessFields::requestLine) : attribute(argument);
            case 's' -> argument.isEmpty() ? status() : noted(Source.SESSION, argument);
            case 'S' -> untrusted(AccessEntry::session);
            case 't' -> time(argument);
            case 'T' -> AccessFields::seconds;
            case 'u' -> untrusted(AccessEntry::user);
            case 'U' -> path();
            case 'v' ->
                relayed(
                        "ServerName",
                        entry -> entry.request() == null
                                ? null
                                : Authority.hostOf(entry.request().authority()));
            case 'X' -> (entry, line) -> line.text(connectionStatus(entry));
            default ->
                throw new IllegalArgumentException("The access log pattern \"" + pattern + "\" has %" + code
                        + ", which is unknown; expected one of " + KNOWN);
        };
    }

    static AccessFormat.Field untrusted(Function<AccessEntry, @Nullable String> value) {
        return (entry, line) -> {
            String text = value.apply(entry);
            if (text == null || text.isEmpty()) {
                line.text("-");
            } else {
                line.untrusted(text);
            }
        };
    }

    static AccessFormat.Field request(Function<RequestHead, @Nullable String> value) {
        return untrusted(entry -> entry.request() == null ? null : value.apply(entry.request()));
    }

    static AccessFormat.Field method() {
        return request(RequestHead::method);
    }

    static AccessFormat.Field path() {
        return request(request -> request.path().raw());
    }

    static AccessFormat.Field threadName() {
        return untrusted(AccessEntry::thread);
    }

    static AccessFormat.Field status() {
        return (entry, line) -> line.number(entry.outcome().status());
    }

    static AccessFormat.Field cookie(String name) {
        return request(request -> CookieFields.first(request.headers(), name));
    }

    private static AccessFormat.Field requestHeader(String name) {
        return request(request -> request.headers().get(name));
    }

    /** A value that the application provides; adds it to the wanted ones. */
    Function<AccessEntry, @Nullable String> note(Source source, String name) {
        Wanted one = new Wanted(source, name);
        wanted.add(one);
        return entry -> entry.note(one);
    }

    private AccessFormat.Field noted(Source source, String name) {
        return untrusted(note(source, name));
    }

    /** The value set by a filter of the application, if the log is configured to use it; otherwise the connection's or request's. */
    private AccessFormat.Field relayed(String name, Function<AccessEntry, @Nullable String> otherwise) {
        if (!settings.relayed()) {
            return untrusted(otherwise);
        }
        Function<AccessEntry, @Nullable String> note = note(Source.REQUEST, RELAYED + name);
        return untrusted(entry -> {
            String value = note.apply(entry);
            return value == null ? otherwise.apply(entry) : value;
        });
    }

    private AccessFormat.Field commitTime() {
        commitTime = true;
        return AccessFields::commitTime;
    }

    private AccessFormat.Field time(String format) {
        try {
            return new Time(format, settings.locale());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The access log pattern \"" + pattern + "\" has %{" + format
                            + "}t; expected sec, msec, msec_frac or a pattern of java.text.SimpleDateFormat in the braces ("
                            + e.getMessage() + ")",
                    e);
        }
    }

    /** An attribute of {@link BackendTrace}, {@link RequestId} or TLS, or of the servlet request. */
    private AccessFormat.Field attribute(String name) {
        Function<AccessEntry, @Nullable String> note = note(Source.REQUEST, name);
        return untrusted(entry -> {
            BackendTrace trace = entry.backend();
            String found = trace == null ? null : trace.named(name);
            found = found == null ? identity(name, entry.requestId()) : found;
            found = found == null ? tlsParameter(name, entry.connection()) : found;
            return found == null ? note.apply(entry) : found;
        });
    }

    private static @Nullable String identity(String name, @Nullable RequestId id) {
        if (id == null) {
            return null;
        }
        return switch (name) {
            case RequestId.ATTRIBUTE -> id.value();
            case RequestId.TRACE_ATTRIBUTE -> id.traceId();
            default -> null;
        };
    }

    /** The ids as further members of a JSON object, under the names that they have in the server log. */
    static void identity(AccessEntry entry, LineBuffer line) {
        RequestId id = entry.requestId();
        if (id != null) {
            line.text(",\"req\":\"");
            line.untrusted(id.value());
            line.text("\",\"trace\":\"");
            line.untrusted(id.traceId());
            line.text("\"");
        }
    }

    /** A TLS parameter by its name in Tomcat's access log; null if there is none, or the connection does not use TLS. */
    private static @Nullable String tlsParameter(String name, ConnectionInfo connection) {
        SSLSession tls = connection.tlsSession();
        FrontEnd frontEnd = connection.frontEnd();
        return switch (name) {
            case "javax.servlet.request.cipher_suite" ->
                tls != null ? tls.getCipherSuite() : frontEnd == null ? null : frontEnd.cipherSuite();
            case "org.apache.tomcat.util.net.secure_protocol_version" ->
                tls != null ? tls.getProtocol() : frontEnd == null ? null : frontEnd.tlsVersion();
            case "javax.servlet.request.ssl_session_id" ->
                tls == null ? null : HexFormat.of().formatHex(tls.getId());
            default -> null;
        };
    }

    private static @Nullable String requestLine(AccessEntry entry) {
        RequestHead request = entry.request();
        return request == null
                ? entry.refusedLine()
                : request.method() + " " + request.target() + " " + request.version();
    }

    static @Nullable String responseHeader(AccessEntry entry, String name) {
        if (entry.response() == null) {
            return null;
        }
        Headers headers = entry.response().headers();
        return headers.contains(name) ? String.join(",", headers.all(name)) : null;
    }

    private AccessFormat.Field address(String which) {
        return switch (which) {
            case "", "remote" -> clientAddress();
            case "peer", "c" ->
                untrusted(entry -> host(entry.connection().direct().remote()));
            default ->
                throw new IllegalArgumentException("The access log pattern \"" + pattern + "\" has %{" + which
                        + "}a; expected remote or peer in the braces");
        };
    }

    AccessFormat.Field clientAddress() {
        return relayed("RemoteAddr", entry -> host(entry.connection().remote()));
    }

    AccessFormat.Field localAddress() {
        return untrusted(entry -> host(entry.connection().local()));
    }

    /** In the notation of httpd and Tomcat: {@code X} aborted, {@code +} kept alive, {@code -} closed. */
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

    private AccessFormat.Field port(String which) {
        return switch (which) {
            case "", "local" ->
                relayed("ServerPort", entry -> portOf(entry.connection().local()));
            case "remote" -> untrusted(entry -> portOf(entry.connection().remote()));
            default ->
                throw new IllegalArgumentException("The access log pattern \"" + pattern + "\" has %{" + which
                        + "}p; expected local or remote in the braces");
        };
    }

    private static void query(@Nullable RequestHead request, LineBuffer line) {
        if (request != null && request.query() != null) {
            line.text("?").untrusted(request.query());
        }
    }

    static void size(long bytes, LineBuffer line) {
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

    /** With three decimals, as in Tomcat. */
    static void seconds(AccessEntry entry, LineBuffer line) {
        long millis = TimeUnit.NANOSECONDS.toMillis(entry.outcome().nanos());
        line.number(millis / 1000).text(".");
        String fraction = Long.toString(1000 + millis % 1000);
        line.text(fraction.substring(1));
    }

    private String host(SocketAddress address) {
        if (address instanceof UnixDomainSocketAddress) {
            return "127.0.0.1"; // a process on this machine
        }
        if (!(address instanceof InetSocketAddress inet) || inet.getAddress() == null) {
            return address.toString();
        }
        return settings.ipv6Canonical() && inet.getAddress() instanceof Inet6Address
                ? IpLiteral.format(inet.getAddress())
                : inet.getAddress().getHostAddress();
    }

    private static String portOf(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? Integer.toString(inet.getPort()) : "0";
    }

    /**
     * The time of a request, {@code %t}. As in Tomcat, that of its end, unless the format begins with {@code begin:}. The text is cached
     * for a second, because consecutive requests usually end in the same one.
     */
    private static final class Time implements AccessFormat.Field {

        private static final String COMMON_LOG = "'['dd/MMM/yyyy:HH:mm:ss Z']'";

        private enum Kind {
            SECONDS,
            MILLIS,
            /** The milliseconds within the second, three digits. */
            FRACTION,
            PATTERN
        }

        private final boolean begin;
        private final Kind kind;
        private final SimpleDateFormat formatter;
        private final boolean millis;
        private long last = Long.MIN_VALUE;
        private String text = "";

        /**
         * A format.
         *
         * @param format {@code sec}, {@code msec} or {@code msec_frac}, a pattern of {@link SimpleDateFormat}, or empty for the
         *     format of the common log; with an optional prefix {@code begin:} or {@code end:}
         * @param locale of a pattern; the format of the common log is in English
         * @throws IllegalArgumentException if it is not a valid pattern
         */
        Time(String format, Locale locale) {
            begin = format.equals("begin") || format.startsWith("begin:");
            boolean end = format.equals("end") || format.startsWith("end:");
            int colon = format.indexOf(':');
            String rest = !begin && !end ? format : colon < 0 ? "" : format.substring(colon + 1);
            kind = switch (rest) {
                case "sec" -> Kind.SECONDS;
                case "msec" -> Kind.MILLIS;
                case "msec_frac" -> Kind.FRACTION;
                default -> Kind.PATTERN;
            };
            boolean common = rest.isEmpty() || kind != Kind.PATTERN;
            formatter = new SimpleDateFormat(common ? COMMON_LOG : rest, common ? Locale.US : locale);
            millis = kind == Kind.MILLIS || kind == Kind.FRACTION || kind == Kind.PATTERN && rest.contains("S");
        }

        @Override
        public void append(AccessEntry entry, LineBuffer line) {
            long time = begin ? entry.began() : entry.ended();
            long unit = millis ? time : TimeUnit.MILLISECONDS.toSeconds(time);
            if (unit != last) {
                last = unit;
                text = format(time);
            }
            line.untrusted(text);
        }

        @SuppressWarnings("JavaUtilDate") // required by SimpleDateFormat
        private String format(long time) {
            return switch (kind) {
                case SECONDS -> Long.toString(time / 1000);
                case MILLIS -> Long.toString(time);
                case FRACTION -> Long.toString(1000 + time % 1000).substring(1);
                case PATTERN -> formatter.format(new Date(time));
            };
        }
    }
}
