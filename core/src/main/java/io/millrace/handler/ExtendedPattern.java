package io.millrace.handler;

import io.millrace.handler.AccessNotes.Source;
import io.millrace.http.CookieFields;
import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parser of patterns of the W3C's Extended Log File Format (WD-logfile-960323), with the fields of Tomcat's ExtendedAccessLogValve.
 * Times are those of the end of requests, in GMT.
 */
final class ExtendedPattern {

    private static final String KNOWN =
            "date time time-taken bytes cached c-ip c-dns s-ip s-dns cs-method cs-uri cs-uri-stem cs-uri-query cs(name)"
                    + " sc-status sc-comment sc(name) x-threadname x-A(name) x-C(name) x-H(name) x-O(name) x-P(name)"
                    + " x-R(name) x-S(name)";

    /** The properties of the request that x-H supports. */
    private static final Set<String> PROPERTIES = Set.of(
            "authType",
            "characterEncoding",
            "contentLength",
            "locale",
            "protocol",
            "remoteUser",
            "requestedSessionId",
            "requestedSessionIdFromCookie",
            "requestedSessionIdValid",
            "scheme",
            "secure");

    /** A field, or white space between fields; a name in parentheses may contain blanks. */
    private static final Pattern TOKEN = Pattern.compile("\\s+|([^\\s(]+)(?:\\(([^)]*)\\))?");

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final String pattern;
    private final AccessFields fields;

    private ExtendedPattern(String pattern, AccessFormat.Settings settings) {
        this.pattern = pattern;
        fields = new AccessFields(pattern, settings);
    }

    /** @throws IllegalArgumentException if a field is unknown; the message names it */
    static AccessFormat parse(String pattern, AccessFormat.Settings settings) {
        return new ExtendedPattern(pattern.strip(), settings).parse();
    }

    private AccessFormat parse() {
        if (pattern.isEmpty() || pattern.lines().count() != 1) {
            throw new IllegalArgumentException(
                    "The access log pattern is empty, or has several lines; expected fields such as \"date time c-ip"
                            + " cs-method cs-uri sc-status\"");
        }
        List<AccessFormat.Field> made = new ArrayList<>();
        Matcher token = TOKEN.matcher(pattern);
        int at = 0;
        for (; token.lookingAt(); token.region(at, pattern.length())) {
            at = token.end();
            String name = token.group(1);
            made.add(name == null ? AccessPattern.literal(token.group()) : field(name, token.group(2)));
        }
        if (at < pattern.length()) {
            throw unknown(pattern.substring(at));
        }
        return fields.format(
                made, LineBuffer.Escape.EXTENDED, "#Fields: " + pattern + "\n#Version: 2.0\n#Software: Millrace\n");
    }

    private IllegalArgumentException unknown(String field) {
        return new IllegalArgumentException("The access log pattern \"" + pattern + "\" has " + field
                + ", which is unknown; expected one of " + KNOWN);
    }

    private AccessFormat.Field field(String name, @Nullable String argument) {
        if (argument != null) {
            return named(name, argument);
        }
        return switch (name) {
            case "date" -> (entry, line) -> line.text(DATE.format(Instant.ofEpochMilli(entry.ended())));
            case "time" -> (entry, line) -> line.text(TIME.format(Instant.ofEpochMilli(entry.ended())));
            case "time-taken" -> AccessFields::seconds;
            case "bytes" -> (entry, line) -> AccessFields.size(entry.outcome().bytesSent(), line);
            case "cached" -> (entry, line) -> line.text("-");
            case "c-ip" -> fields.clientAddress();
            case "c-dns" -> fields.field('h', "");
            case "s-ip" -> fields.localAddress();
            case "s-dns" -> new ServerHostName();
            case "cs-method" -> AccessFields.method();
            case "cs-uri" ->
                AccessFields.request(
                        request -> request.path().raw() + (request.query() == null ? "" : "?" + request.query()));
            case "cs-uri-stem" -> AccessFields.path();
            case "cs-uri-query" -> AccessFields.request(RequestHead::query);
            case "sc-status" -> AccessFields.status();
            case "sc-comment" -> (entry, line) -> line.text("?");
            case "x-threadname" -> AccessFields.threadName();
            default -> {
                if (name.startsWith("sr-") || name.startsWith("rs-")) {
                    yield (entry, line) -> line.text("-"); // between a proxy and its backend, which Tomcat never is
                }
                throw unknown(name);
            }
        };
    }

    private AccessFormat.Field named(String kind, String name) {
        return switch (kind) {
            case "cs" ->
                quoted(entry -> entry.request() == null
                        ? null
                        : entry.request().headers().get(name));
            case "sc" ->
                quoted(entry -> entry.response() == null
                        ? null
                        : entry.response().headers().get(name));
            case "sr", "rs" -> (entry, line) -> line.text("-");
            case "x-A" -> quoted(fields.note(Source.APPLICATION, name));
            case "x-C" ->
                quoted(entry -> entry.request() == null
                        ? null
                        : CookieFields.first(entry.request().headers(), name));
            case "x-H" -> property(name);
            case "x-O" -> quoted(entry -> AccessFields.responseHeader(entry, name));
            case "x-P" -> quoted(encoded(fields.note(Source.PARAMETER, name)));
            case "x-R" -> quoted(fields.note(Source.REQUEST, name));
            case "x-S" -> quoted(fields.note(Source.SESSION, name));
            default -> throw unknown(kind + "(" + name + ")");
        };
    }

    private AccessFormat.Field property(String name) {
        if (!PROPERTIES.contains(name)) {
            throw unknown("x-H(" + name + ")");
        }
        Function<AccessEntry, @Nullable String> note = fields.note(Source.PROPERTY, name);
        return quoted(entry -> {
            String value = note.apply(entry);
            return value == null ? property(name, entry) : value;
        });
    }

    /** The property of a request that did not reach an application. */
    private static @Nullable String property(String name, AccessEntry entry) {
        RequestHead request = entry.request();
        if (request == null) {
            return null;
        }
        Headers headers = request.headers();
        return switch (name) {
            case "contentLength" -> headers.contains("Content-Length") ? headers.get("Content-Length") : "-1";
            case "protocol" -> request.version().toString();
            case "remoteUser" -> entry.user();
            case "requestedSessionIdFromCookie", "requestedSessionIdValid" -> "false";
            case "scheme" -> request.scheme();
            case "secure" -> Boolean.toString(entry.connection().isSecure());
            default -> null;
        };
    }

    private static Function<AccessEntry, @Nullable String> encoded(Function<AccessEntry, @Nullable String> value) {
        return entry -> {
            String text = value.apply(entry);
            return text == null || text.isEmpty() ? null : URLEncoder.encode(text, StandardCharsets.UTF_8);
        };
    }

    private static AccessFormat.Field quoted(Function<AccessEntry, @Nullable String> value) {
        return (entry, line) -> {
            String text = value.apply(entry);
            if (text == null || text.equals("-")) {
                line.text("-");
            } else {
                line.quoted(text);
            }
        };
    }

    /** This machine's name. It is looked up once, on the writer thread. */
    private static final class ServerHostName implements AccessFormat.Field {

        private @Nullable String name;

        @Override
        public void append(AccessEntry entry, LineBuffer line) {
            String known = name;
            if (known == null) {
                known = lookUp();
                name = known;
            }
            line.untrusted(known);
        }

        private static String lookUp() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "-";
            }
        }
    }
}
