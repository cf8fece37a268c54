package io.millrace.rules;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.OwnFields;
import io.millrace.exchange.RequestId;
import io.millrace.handler.PresetAttributes;
import io.millrace.http.CookieFields;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.PercentEncoding;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestedHost;
import io.millrace.http.Tokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text with references to the request: {@code %{i,Name}} and {@code %m} are its properties, with Undertow's names, {@code ${name}}
 * is what a predicate has found, {@code %%} is a percent sign. What is not there is empty.
 */
final class RuleText {

    /** A part that depends on the request. */
    private interface Part {

        /** Its text; null if it is not there. */
        @Nullable
        String of(RuleRun run);

        /** Whether the text is already part of a URL, so that it must not be encoded again. */
        default boolean isEncoded() {
            return false;
        }

        /** Whether clients choose it. */
        default boolean isOfClient() {
            return true;
        }
    }

    private record Literal(String text) implements Part {
        @Override
        public String of(RuleRun run) {
            return text;
        }

        @Override
        public boolean isEncoded() {
            return true;
        }

        @Override
        public boolean isOfClient() {
            return false;
        }
    }

    private record Found(String name) implements Part {
        @Override
        public @Nullable String of(RuleRun run) {
            return run.found().get(name);
        }
    }

    private record Property(Function<RuleRun, @Nullable String> value, boolean encoded, boolean isOfClient)
            implements Part {
        @Override
        public @Nullable String of(RuleRun run) {
            return value.apply(run);
        }

        @Override
        public boolean isEncoded() {
            return encoded;
        }
    }

    private static final Property PATH = new Property(RuleRun::path, false, true);
    private static final Map<String, Property> NAMED = new TreeMap<>();

    static {
        decoded(
                "%a",
                "REMOTE_IP",
                run -> RequestedHost.host(run.exchange().channel().info().remote()));
        decoded(
                "%h",
                "REMOTE_HOST",
                run -> RequestedHost.host(run.exchange().channel().info().remote()));
        decoded(
                "%A",
                "LOCAL_IP",
                run -> RequestedHost.host(run.exchange().channel().info().local()));
        decoded(
                "%p",
                "LOCAL_PORT",
                run -> Integer.toString(
                        RequestedHost.port(run.exchange().channel().info().local())));
        decoded("%m", "METHOD", run -> run.request().method());
        decoded("%H", "PROTOCOL", run -> run.request().version().toString());
        NAMED.put("%R", PATH);
        NAMED.put("%{RELATIVE_PATH}", PATH);
        decoded("%v", "LOCAL_SERVER_NAME", run -> host(run.request(), run.exchange()));
        decoded("%{SCHEME}", "REQUEST_SCHEME", run -> run.request().scheme());
        encoded("%U", "REQUEST_URL", run -> run.request().path().raw());
        encoded(
                "%q",
                "QUERY_STRING", run -> {
                    String query = run.request().query();
                    return query == null ? "" : "?" + query;
                });
        encoded("%{BARE_QUERY_STRING}", "BARE_QUERY", run -> run.request().query());
        decoded(
                "%{REQUEST_ID}",
                "REQUEST_IDENTIFIER", run -> {
                    RequestId id = RequestId.of(run.exchange());
                    return id == null ? null : id.value();
                });
    }

    private static void decoded(String sign, String name, Function<RuleRun, @Nullable String> value) {
        NAMED.put(sign, new Property(value, false, false));
        NAMED.put("%{" + name + "}", new Property(value, false, false));
    }

    private static void encoded(String sign, String name, Function<RuleRun, @Nullable String> value) {
        NAMED.put(sign, new Property(value, true, true));
        NAMED.put("%{" + name + "}", new Property(value, true, true));
    }

    private static String host(RequestHead request, HttpExchange exchange) {
        return RequestedHost.of(request, exchange.channel().info().local()).host();
    }

    private static final Pattern WITHIN_HOST = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]+");

    private final List<Part> parts;

    private RuleText(List<Part> parts) {
        this.parts = parts;
    }

    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException if there is no such property
     */
    static RuleText parse(String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean last = at + 1 == text.length();
            if (c == '%' && !last && text.charAt(at + 1) == '%') {
                literal.append('%');
                at += 2;
                continue;
            }
            if (last || c != '%' && !text.startsWith("${", at)) {
                literal.append(c);
                at++;
                continue;
            }
            if (c == '%' && isHex(text, at + 1) && isHex(text, at + 2)) { // an escape of a URL
                literal.append(c);
                at++;
                continue;
            }
            int end = text.charAt(at + 1) == '{' ? text.indexOf('}', at) + 1 : at + 2;
            if (end == 0) {
                throw new IllegalArgumentException("'" + text.substring(at) + "' is never closed; expected }");
            }
            if (literal.length() > 0) {
                parts.add(new Literal(literal.toString()));
                literal.setLength(0);
            }
            parts.add(c == '%' ? property(text.substring(at, end)) : new Found(text.substring(at + 2, end - 1)));
            at = end;
        }
        if (literal.length() > 0) {
            parts.add(new Literal(literal.toString()));
        }
        return new RuleText(List.copyOf(parts));
    }

    private static boolean isHex(String text, int index) {
        return index < text.length() && text.charAt(index) < 0x80 && Character.digit(text.charAt(index), 16) >= 0;
    }

    private static Property property(String reference) {
        Target target = Target.find(reference);
        if (target != null) {
            return new Property(target::get, false, true);
        }
        Property named = NAMED.get(reference);
        if (named != null) {
            return named;
        }
        List<String> known = new ArrayList<>(NAMED.keySet());
        known.addAll(List.of("%{i,Name}", "%{o,Name}", "%{c,Name}", "%{q,name}", "%{r,name}"));
        throw new IllegalArgumentException("there is no property " + reference
                + RuleArguments.suggestion(reference, known)
                + (reference.startsWith("%{") ? "" : "; write a percent sign as %%"));
    }

    /** The text for one request. */
    String of(RuleRun run) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            String value = part.of(run);
            text.append(value == null ? "" : value);
        }
        return text.toString();
    }

    /** The text as part of a URL: what a client has chosen cannot begin a query, another segment's escape or another host. */
    String url(RuleRun run) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            String value = part.of(run);
            if (value != null) {
                if (part.isOfClient() && endsWithinHost(text) && !value.startsWith("/")) {
                    text.append('/');
                }
                text.append(part.isEncoded() ? PercentEncoding.escape(value) : PercentEncoding.encode(value));
            }
        }
        return text.toString();
    }

    /** Whether what follows would be part of a host that has begun. */
    private static boolean endsWithinHost(CharSequence text) {
        return WITHIN_HOST.matcher(text).matches();
    }

    /** Whether it is up to clients how it begins. */
    boolean beginsWithClientText() {
        return !parts.isEmpty() && parts.get(0).isOfClient();
    }

    /** Whether anything of it is there. */
    boolean exists(RuleRun run) {
        for (Part part : parts) {
            String value = part.of(run);
            if (value != null && !value.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /**
     * What has a name: a field of the request ({@code i}) or response ({@code o}), a cookie ({@code c}), a parameter of the query
     * ({@code q}), an attribute that servlets see ({@code r}).
     */
    record Target(char kind, String name) {

        /** Null if the reference is none of these. */
        static @Nullable Target find(String reference) {
            if (!reference.startsWith("%{") || reference.length() < 6 || reference.charAt(3) != ',') {
                return null;
            }
            char kind = reference.charAt(2);
            String name = reference.substring(4, reference.length() - 1).strip();
            if ("iocqr".indexOf(kind) < 0) {
                return null;
            }
            if ((kind == 'i' || kind == 'o' || kind == 'c') && !FieldSyntax.isToken(name)) {
                throw new IllegalArgumentException("'" + name + "' is not the name of a header field or cookie");
            }
            return new Target(kind, name);
        }

        /** One that can be changed; null if the reference is none. */
        static @Nullable Target changeable(String reference) {
            Target target = find(reference);
            return target == null || "ior".indexOf(target.kind()) < 0 ? null : target;
        }

        @Nullable
        String get(RuleRun run) {
            return switch (kind) {
                case 'i' -> run.request().headers().get(name);
                case 'o' -> run.exchange().response().headers().get(name);
                case 'c' -> CookieFields.first(run.request().headers(), name);
                case 'q' -> run.parameter(name);
                default -> attributes(run).get(name);
            };
        }

        /** @param value null to remove it */
        void set(RuleRun run, @Nullable String value) {
            if (kind == 'r') {
                Map<String, String> changed = new TreeMap<>(attributes(run));
                if (value == null) {
                    changed.remove(name);
                } else {
                    changed.put(name, value);
                }
                run.exchange().attributes().put(PresetAttributes.KEY, new PresetAttributes(Map.copyOf(changed)));
                return;
            }
            Headers headers = kind == 'i'
                    ? run.request().headers()
                    : run.exchange().response().headers();
            if (kind == 'i') {
                makeEndToEnd(headers);
                OwnFields.add(run.exchange(), name);
            }
            if (value == null) {
                headers.remove(name);
            } else {
                headers.set(name, clean(value));
            }
        }

        /**
         * Removes the name from the options of Connection (RFC 9110, 7.6.1): with them a client could have a proxy drop what a rule has
         * set.
         */
        private void makeEndToEnd(Headers headers) {
            List<String> sent = headers.all("Connection");
            if (Tokens.contains(sent, name)) {
                List<String> others = Arrays.stream(String.join(",", sent).split(","))
                        .map(String::strip)
                        .filter(option -> !option.equalsIgnoreCase(name))
                        .toList();
                headers.set("Connection", String.join(", ", others));
            }
        }

        /** Characters that a field cannot have, which only decoded text can contain, are replaced. */
        private static String clean(String value) {
            if (FieldSyntax.isValue(value)) {
                return value;
            }
            StringBuilder clean = new StringBuilder(value);
            for (int i = 0; i < clean.length(); i++) {
                if (!FieldSyntax.isValueChar(clean.charAt(i))) {
                    clean.setCharAt(i, '?');
                }
            }
            return clean.toString();
        }

        private static Map<String, String> attributes(RuleRun run) {
            PresetAttributes preset = run.exchange().attribute(PresetAttributes.KEY);
            return preset == null ? Map.of() : preset.values();
        }
    }
}
