package io.millrace.http;

/** The syntax of header field names and values (RFC 9110, 5.1 and 5.5). Characters stand for octets (ISO 8859-1). */
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

    /** Whether a token, such as a field name or a method, may contain this character. */
    public static boolean isTokenChar(char c) {
        return c < TOKEN.length && TOKEN[c];
    }

    /** Whether the text is a token; the empty string is not. */
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isTokenChar(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** Whether a field value may contain this character: visible ASCII, space, tab, and the opaque octets 0x80 to 0xff. */
    public static boolean isValueChar(char c) {
        return c >= ' ' && c != 0x7f && c <= 0xff || c == '\t';
    }

    /** Whether the text is a valid field value. */
    public static boolean isValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isValueChar(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
