package io.millrace.http;

import java.util.List;

/** Comma-separated lists of tokens (RFC 9110, 5.6.1). */
public final class Tokens {

    private Tokens() {}

    /** Whether one of a field's lists contains the token, ignoring case. */
    public static boolean contains(List<String> lists, String token) {
        for (int i = 0; i < lists.size(); i++) {
            if (contains(lists.get(i), token)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the list contains the token, ignoring case. Allocates nothing. */
    public static boolean contains(String list, String token) {
        int from = 0;
        while (from <= list.length()) {
            int comma = list.indexOf(',', from);
            int end = comma < 0 ? list.length() : comma;
            if (isToken(list, from, end, token)) {
                return true;
            }
            from = end + 1;
        }
        return false;
    }

    private static boolean isToken(String list, int from, int to, String token) {
        int start = from;
        int end = to;
        while (start < end && isSpace(list.charAt(start))) {
            start++;
        }
        while (end > start && isSpace(list.charAt(end - 1))) {
            end--;
        }
        return end - start == token.length() && list.regionMatches(true, start, token, 0, token.length());
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
