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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The kinds of lines of an {@link AccessLog}. */
public enum AccessLogFormat {
    /** Text by a pattern of Tomcat's {@code %} codes; {@code common} and {@code combined} are predefined. */
    PATTERN,
    /**
     * One JSON object (RFC 8259) per line, with a member for each {@code %} code of the pattern, named as by Tomcat's
     * JsonAccessLogValve. All values are strings. If requests have ids, {@code req} and {@code trace} follow.
     */
    JSON,
    /**
     * The W3C's Extended Log File Format, with the fields of Tomcat's ExtendedAccessLogValve: {@code date time c-ip
     * cs-method cs-uri sc-status cs(User-Agent)}. Each file begins with header lines that name the fields.
     */
    EXTENDED;

    /** @throws IllegalArgumentException if the pattern contains something unknown; the message names it */
    AccessFormat parse(String pattern, AccessFormat.Settings settings) {
        return switch (this) {
            case PATTERN -> AccessPattern.parse(pattern, settings);
            case JSON -> AccessPattern.parseJson(pattern, settings);
            case EXTENDED -> ExtendedPattern.parse(pattern, settings);
        };
    }

    /** The parser of Tomcat's access log patterns, for lines of text or of JSON. */
    private static final class AccessPattern {

        private static final String COMMON = "%h %l %u %t \"%r\" %s %b";
        private static final String COMBINED = COMMON + " \"%{Referer}i\" \"%{User-Agent}i\"";

        /** The names of members of JSON objects. */
        private static final Map<Character, String> MEMBERS = Map.ofEntries(
                Map.entry('a', "remoteAddr"),
                Map.entry('A', "localAddr"),
                Map.entry('b', "size"),
                Map.entry('B', "byteSentNC"),
                Map.entry('D', "elapsedTime"),
                Map.entry('F', "firstByteTime"),
                Map.entry('h', "host"),
                Map.entry('H', "protocol"),
                Map.entry('I', "threadName"),
                Map.entry('l', "logicalUserName"),
                Map.entry('m', "method"),
                Map.entry('p', "port"),
                Map.entry('q', "query"),
                Map.entry('r', "request"),
                Map.entry('s', "statusCode"),
                Map.entry('S', "sessionId"),
                Map.entry('t', "time"),
                Map.entry('T', "elapsedTimeS"),
                Map.entry('u', "user"),
                Map.entry('U', "path"),
                Map.entry('v', "localServerName"),
                Map.entry('X', "connectionStatus"));

        /** The names of the JSON objects that contain the codes with a name in braces. */
        private static final Map<Character, String> OBJECTS = Map.of(
                'c', "cookies",
                'i', "requestHeaders",
                'o', "responseHeaders",
                'r', "requestAttributes",
                's', "sessionAttributes");

        /**
         * A token of a pattern.
         *
         * @param code the character behind the percent sign and the braces; 0 for literal text
         * @param text the text in the braces, or the literal text
         */
        record Token(char code, String text) {

            boolean isLiteral() {
                return code == 0;
            }
        }

        private AccessPattern() {}

        /**
         * Parses a pattern of text.
         *
         * @param pattern {@code common}, {@code combined}, or text with {@code %x} and {@code %{name}x}
         * @throws IllegalArgumentException if a code is unknown; the message names it
         */
        static AccessFormat parse(String pattern, AccessFormat.Settings settings) {
            AccessFields known = new AccessFields(pattern, settings);
            List<AccessFormat.Field> fields = new ArrayList<>();
            for (Token token : tokens(pattern)) {
                fields.add(token.isLiteral() ? literal(token.text()) : known.field(token.code(), token.text()));
            }
            return known.format(fields, LineBuffer.Escape.TEXT, "");
        }

        static List<Token> tokens(String pattern) {
            return switch (pattern) {
                case "common" -> split(COMMON);
                case "combined" -> split(COMBINED);
                default -> split(pattern);
            };
        }

        private static List<Token> split(String pattern) {
            List<Token> tokens = new ArrayList<>();
            StringBuilder literal = new StringBuilder();
            for (int i = 0; i < pattern.length(); i++) {
                char c = pattern.charAt(i);
                if (c != '%' || pattern.startsWith("%%", i)) {
                    literal.append(c);
                    i += c == '%' ? 1 : 0;
                    continue;
                }
                addLiteral(tokens, literal);
                int code = codeAt(pattern, i + 1);
                String argument = code == i + 1 ? "" : pattern.substring(i + 2, code - 1);
                tokens.add(new Token(pattern.charAt(code), argument));
                i = code;
            }
            addLiteral(tokens, literal);
            return tokens;
        }

        private static int codeAt(String pattern, int at) {
            int code = pattern.startsWith("{", at) ? pattern.indexOf('}', at) + 1 : at;
            if (code < at || code == 0 || code >= pattern.length()) {
                throw new IllegalArgumentException(
                        "The access log pattern \"" + pattern + "\" ends within " + pattern.substring(at - 1));
            }
            return code;
        }

        private static void addLiteral(List<Token> tokens, StringBuilder literal) {
            if (literal.length() > 0) {
                tokens.add(new Token((char) 0, literal.toString()));
                literal.setLength(0);
            }
        }

        /** Literal text of the pattern, which is not escaped. */
        static AccessFormat.Field literal(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return (entry, line) -> line.bytes(bytes);
        }

        /**
         * Parses a pattern for JSON: each code becomes a member of the object; literal text is ignored.
         *
         * @throws IllegalArgumentException if a code is unknown; the message names it
         */
        static AccessFormat parseJson(String pattern, AccessFormat.Settings settings) {
            AccessFields known = new AccessFields(pattern, settings);
            Map<String, AccessFormat.Field> members = new LinkedHashMap<>();
            Map<String, Map<String, AccessFormat.Field>> objects = new LinkedHashMap<>();
            for (Token token : tokens(pattern)) {
                if (token.isLiteral()) {
                    continue;
                }
                AccessFormat.Field field = known.field(token.code(), token.text());
                String object = token.text().isEmpty() ? null : OBJECTS.get(token.code());
                if (object != null) {
                    objects.computeIfAbsent(object, name -> new LinkedHashMap<>())
                            .putIfAbsent(token.text(), field);
                } else {
                    String name = MEMBERS.getOrDefault(token.code(), "other-" + token.code());
                    members.putIfAbsent(token.text().isEmpty() ? name : name + "-" + token.text(), field);
                }
            }
            return known.format(fields(members, objects), LineBuffer.Escape.JSON, "");
        }

        private static List<AccessFormat.Field> fields(
                Map<String, AccessFormat.Field> members, Map<String, Map<String, AccessFormat.Field>> objects) {
            List<AccessFormat.Field> fields = new ArrayList<>();
            add(members, "{", fields);
            String comma = members.isEmpty() ? "{" : ",";
            for (Map.Entry<String, Map<String, AccessFormat.Field>> object : objects.entrySet()) {
                add(object.getValue(), comma + Json.quote(object.getKey()) + ":{", fields);
                fields.add(literal("}"));
                comma = ",";
            }
            if (members.isEmpty() && objects.isEmpty()) {
                fields.add(literal("{}"));
            } else {
                fields.add(AccessFields::identity);
                fields.add(literal("}"));
            }
            return fields;
        }

        private static void add(
                Map<String, AccessFormat.Field> members, String before, List<AccessFormat.Field> fields) {
            String separator = before;
            for (Map.Entry<String, AccessFormat.Field> member : members.entrySet()) {
                fields.add(literal(separator + Json.quote(member.getKey()) + ":\""));
                fields.add(member.getValue());
                fields.add(literal("\""));
                separator = ",";
            }
        }
    }

    /**
     * The parser of patterns of the W3C's Extended Log File Format (WD-logfile-960323), with the fields of Tomcat's ExtendedAccessLogValve.
     * Times are those of the end of requests, in GMT.
     */
    private static final class ExtendedPattern {

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
                case "bytes" ->
                    (entry, line) -> AccessFields.size(entry.outcome().bytesSent(), line);
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
}
