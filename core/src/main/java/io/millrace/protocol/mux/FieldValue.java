package io.millrace.protocol.mux;

/**
 * Makes the values of a response's fields valid (RFC 9113, 8.2.1), whatever the application has set: forbidden characters
 * become spaces, those outside ISO 8859-1 question marks, and leading and trailing white space is removed.
 */
public final class FieldValue {

    private FieldValue() {}

    /** The valid value; usually the same object. */
    public static String clean(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (!isAllowed(value.charAt(i))) {
                return replace(value).strip();
            }
        }
        return value.isEmpty() || !isAround(value.charAt(0)) && !isAround(value.charAt(value.length() - 1))
                ? value
                : value.strip();
    }

    private static boolean isAllowed(char c) {
        return c >= ' ' && c != 0x7f && c <= 0xff || c == '\t';
    }

    private static boolean isAround(char c) {
        return c == ' ' || c == '\t';
    }

    private static String replace(String value) {
        StringBuilder clean = new StringBuilder(value);
        for (int i = 0; i < clean.length(); i++) {
            char c = clean.charAt(i);
            if (!isAllowed(c)) {
                clean.setCharAt(i, c > 0xff ? '?' : ' ');
            }
        }
        return clean.toString();
    }
}
