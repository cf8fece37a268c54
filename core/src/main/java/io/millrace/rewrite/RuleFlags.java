package io.millrace.rewrite;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The flags of a RewriteRule, in brackets, with httpd's short and long names.
 *
 * @param status of the response if the rule ends the request; otherwise 0
 * @param skip the number of following rules that are skipped
 * @param environment request attributes to set
 * @param type the content type of the response; null if it is not set
 */
record RuleFlags(
        boolean escapesReferences,
        boolean chained,
        @Nullable CookieFlag cookie,
        Map<String, String> environment,
        boolean host,
        boolean last,
        boolean next,
        boolean ignoresCase,
        boolean unescaped,
        boolean appendsQuery,
        boolean dropsQuery,
        int status,
        int skip,
        @Nullable String type) {

    /** @throws IllegalArgumentException if a flag is invalid; the message names it */
    static RuleFlags parse(List<String> flags) {
        Reading reading = new Reading();
        flags.forEach(reading::read);
        return reading.done();
    }

    private static final class Reading {

        private boolean escapesReferences;
        private boolean chained;
        private @Nullable CookieFlag cookie;
        private final Map<String, String> environment = new LinkedHashMap<>();
        private boolean host;
        private boolean last;
        private boolean next;
        private boolean ignoresCase;
        private boolean unescaped;
        private boolean appendsQuery;
        private boolean dropsQuery;
        private int status;
        private int skip;
        private @Nullable String type;

        void read(String flag) {
            int equals = flag.indexOf('=');
            String name = equals < 0 ? flag : flag.substring(0, equals);
            String value = equals < 0 ? null : flag.substring(equals + 1);
            switch (name) {
                case "B" -> escapesReferences = true;
                case "C", "chain" -> chained = true;
                case "CO", "cookie" -> cookie = CookieFlag.parse(needed(name, value));
                case "E", "env" -> environment(needed(name, value));
                case "F", "forbidden" -> status = 403;
                case "G", "gone" -> status = 410;
                case "H", "host" -> host = true;
                case "L", "last" -> last = true;
                case "N", "next" -> next = true;
                case "NC", "nocase" -> ignoresCase = true;
                case "NE", "noescape" -> unescaped = true;
                case "NS", "nosubreq" -> {} // there are no subrequests
                case "QSA", "qsappend" -> appendsQuery = true;
                case "QSD", "qsdiscard" -> dropsQuery = true;
                case "R", "redirect" -> status = redirect(value);
                case "S", "skip" -> skip = number(name, needed(name, value), 0, Integer.MAX_VALUE);
                case "T", "type" -> type = needed(name, value);
                default -> throw new IllegalArgumentException(unknown(name));
            }
        }

        RuleFlags done() {
            return new RuleFlags(
                    escapesReferences,
                    chained,
                    cookie,
                    environment,
                    host,
                    last,
                    next,
                    ignoresCase,
                    unescaped,
                    appendsQuery,
                    dropsQuery,
                    status,
                    skip,
                    type);
        }

        private void environment(String value) {
            int colon = value.indexOf(':');
            if (colon < 1 || colon + 1 == value.length()) {
                throw new IllegalArgumentException("flag E=" + value + ": expected E=NAME:VALUE");
            }
            environment.put(value.substring(0, colon), value.substring(colon + 1));
        }

        private static int redirect(@Nullable String code) {
            return switch (code == null ? "temp" : code) {
                case "temp" -> 302;
                case "permanent" -> 301;
                case "seeother" -> 303;
                default -> number("R", String.valueOf(code), 300, 599);
            };
        }

        private static String needed(String name, @Nullable String value) {
            if (value == null || value.isEmpty()) {
                throw new IllegalArgumentException("flag " + name + " needs a value: " + name + "=…");
            }
            return value;
        }

        private static int number(String name, String value, int least, int most) {
            try {
                int number = Integer.parseInt(value);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw new IllegalArgumentException(
                    "flag " + name + "=" + value + ": expected a number from " + least + " to " + most);
        }

        private static String unknown(String name) {
            return switch (name) {
                case "P", "proxy" -> "flag P: rules cannot forward requests; use a Proxy element in the Host";
                case "PT", "passthrough" -> "flag PT: rewritten requests are always mapped again; remove it";
                case "VS", "valveSkip" ->
                    "flag VS: no Valve can be skipped; move it before the RewriteValve, or remove it";
                default ->
                    "RewriteRule has no flag " + name
                            + "; expected B, C, CO, E, F, G, H, L, N, NC, NE, NS, QSA, QSD, R, S or T";
            };
        }
    }
}
