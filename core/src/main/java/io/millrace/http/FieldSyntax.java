package io.millrace.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The syntax of header field names and values (RFC 9110, 5.1 and 5.5). Characters stand for octets (ISO 8859-1). */
public final class FieldSyntax {

    private static final String TOKEN_SYMBOLS = "!#$%&'*+-.^_`|~";

    private static final boolean[] TOKEN = new boolean[128];

    /** Eight octets of an array at once. */
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final long EACH = 0x0101010101010101L;
    private static final long SIGNS = 0x8080808080808080L;

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

    /**
     * The name with '-' for every character but letters and digits. Programs that get fields as variables (CGI, RFC 3875, 4.1.18) cannot tell
     * names with the same plain form apart.
     */
    public static String plain(String name) {
        int usual = 0;
        while (usual < name.length() && isPlain(name.charAt(usual))) {
            usual++;
        }
        if (usual == name.length()) {
            return name;
        }
        StringBuilder plain = new StringBuilder(name);
        for (int i = usual; i < plain.length(); i++) {
            if (!isPlain(plain.charAt(i))) {
                plain.setCharAt(i, '-');
            }
        }
        return plain.toString();
    }

    private static boolean isPlain(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-';
    }

    /** Whether a field value may contain this character: visible ASCII, space, tab, and the opaque octets 0x80 to 0xff. */
    public static boolean isValueChar(char c) {
        return c >= ' ' && c != 0x7f && c <= 0xff || c == '\t';
    }

    /** Whether these octets are a valid field value; eight times as fast as {@link #isValue(String)} for long ones. */
    public static boolean isValue(byte... octets) {
        int at = 0;
        while (at + Long.BYTES <= octets.length && arePlain((long) EIGHT.get(octets, at))) {
            at += Long.BYTES;
        }
        while (at < octets.length && isValueChar((char) (octets[at] & 0xff))) {
            at++;
        }
        return at == octets.length;
    }

    /** Whether none of eight octets is below 0x20 or is 0x7f. The differences are negative only where an octet was so small. */
    private static boolean arePlain(long octets) {
        long notDelete = octets ^ 0x7f * EACH;
        return ((octets - 0x20 * EACH & ~octets | notDelete - EACH & ~notDelete) & SIGNS) == 0;
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
