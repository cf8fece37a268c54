package io.millrace.http;

/** What header fields may be made of (RFC 9110, 5.1 and 5.5). Octets are those of ISO 8859-1. */
public final class FieldSyntax {

    private static final String TOKEN_SYMBOLS = "!#$%&'*+-.^_`|~";

    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (char c = 0; c < TOKEN.length; c++) {
            TOKEN[c] = c >= 'a' && c <= 'z'
                    || c >= 'A' && c <= 'Z'
                    || c >= '0' && c <= '9'
                    || TOKEN_SYMBOLS.indexOf(c) >= 0;
        }
    }

    private FieldSyntax() {}

    /** May a token, such as a field's name or a method, hold this octet? */
    public static boolean isTokenChar(char c) {
        return c < TOKEN.length && TOKEN[c];
    }

    /** Is this a token? */
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isTokenChar(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** May a value hold this octet? Visible ones, space, tab, and 0x80 to 0xff, which are opaque. */
    public static boolean isValueChar(char c) {
        return c >= ' ' && c != 0x7f && c <= 0xff || c == '\t';
    }

    /** Is this a value? */
    public static boolean isValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isValueChar(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
