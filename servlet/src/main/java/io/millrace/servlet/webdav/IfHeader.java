package io.millrace.servlet.webdav;

import java.util.ArrayList;
import java.util.List;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The If header (RFC 4918, 10.4): lists of conditions, of which one must be true.
 *
 * @param lists empty without the field
 */
record IfHeader(List<Conditions> lists) {

    static final IfHeader NONE = new IfHeader(List.of());

    /**
     * Conditions that must all be true.
     *
     * @param tag the URL of their resource; null for that of the request
     */
    record Conditions(@Nullable String tag, List<Condition> all) {}

    /**
     * One condition.
     *
     * @param token the state token; null if it is an entity tag
     * @param etag with its quotes; null if it is a state token
     */
    record Condition(
            boolean not, @Nullable String token, @Nullable String etag) {}

    /**
     * Parses the field.
     *
     * @throws DavFault 400
     */
    static IfHeader parse(@Nullable String field) throws DavFault {
        return field == null ? NONE : new IfHeader(new Parser(field).lists());
    }

    /** Whether the field has a token, which submits it (10.4.1). */
    boolean submits(String token) {
        return lists.stream().flatMap(list -> list.all().stream()).anyMatch(each -> token.equals(each.token()));
    }

    /** Parses from left to right, in one pass. */
    private static final class Parser {

        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        List<Conditions> lists() throws DavFault {
            List<Conditions> lists = new ArrayList<>();
            String tag = null;
            boolean tagged = peek() == '<';
            while (peek() != 0) {
                if (tagged && peek() == '<') {
                    tag = until('>');
                    if (peek() != '(') {
                        throw malformed();
                    }
                }
                lists.add(new Conditions(tag, conditions()));
            }
            if (lists.isEmpty()) {
                throw malformed();
            }
            return lists;
        }

        private List<Condition> conditions() throws DavFault {
            if (peek() != '(') {
                throw malformed();
            }
            at++;
            List<Condition> all = new ArrayList<>();
            while (peek() != ')') {
                boolean not = peek() != '<' && text.regionMatches(true, at, "Not", 0, 3);
                at += not ? 3 : 0;
                all.add(
                        switch (peek()) {
                            case '<' -> new Condition(not, until('>'), null);
                            case '[' -> new Condition(not, null, until(']'));
                            default -> throw malformed();
                        });
            }
            at++;
            if (all.isEmpty()) {
                throw malformed();
            }
            return all;
        }

        /** The next character that is not whitespace; 0 at the end. */
        private char peek() {
            while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : 0;
        }

        /** Consumes and returns the text up to a character. */
        private String until(char end) throws DavFault {
            int to = text.indexOf(end, at);
            if (to < 0) {
                throw malformed();
            }
            String between = text.substring(at + 1, to);
            at = to + 1;
            return between;
        }

        private static DavFault malformed() {
            return new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
    }
}
