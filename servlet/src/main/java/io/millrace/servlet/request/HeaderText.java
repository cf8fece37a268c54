package io.millrace.servlet.request;

/** Prevents response splitting by header values of applications. */
final class HeaderText {

    private static final int MAX_LATIN = 0xff;
    private static final String SEPARATORS = "\"(),/:;<=>?@[\\]{}";

    private HeaderText() {}

    /**
     * The value with a space for each control character, including line ends (response splitting), and a question mark for each
     * character above U+00FF: truncated to eight bits, U+010A would become a line end.
     */
    static String value(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (isBad(value.charAt(i))) {
                return replaced(value);
            }
        }
        return value;
    }

    private static boolean isBad(char c) {
        return c < ' ' && c != '\t' || c == 0x7f || c > MAX_LATIN;
    }

    private static String replaced(String value) {
        StringBuilder out = new StringBuilder(value);
        for (int i = 0; i < out.length(); i++) {
            char c = out.charAt(i);
            if (isBad(c)) {
                out.setCharAt(i, c > MAX_LATIN ? '?' : ' ');
            }
        }
        return out.toString();
    }

    /** True for a token (RFC 9110, 5.6.2). */
    static boolean isName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c <= ' ' || c >= 0x7f || SEPARATORS.indexOf(c) >= 0) {
                return false;
            }
        }
        return !name.isEmpty();
    }
}
