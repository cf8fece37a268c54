package io.millrace.servlet.cookie;

/** The characters of cookie names and values (RFC 6265, 4.1.1; RFC 9110, 5.6.2). */
final class CookieSyntax {

    private static final String SEPARATORS = "()<>@,;:\\\"/[]?={} \t";
    private static final boolean[] TOKEN = new boolean[128];

    /** Cookie names that the constructor of {@link javax.servlet.http.Cookie} refuses: attributes of RFC 2109. */
    private static final String[] RESERVED = {
        "Comment", "Discard", "Domain", "Expires", "Max-Age", "Path", "Secure", "Version"
    };

    /** What RFC 2109 puts between cookies to describe them. */
    private static final String[] ATTRIBUTES = {"$Domain", "$Path", "$Port", "$Version"};

    static {
        for (char c = 0x21; c < 0x7f; c++) {
            TOKEN[c] = SEPARATORS.indexOf(c) < 0;
        }
    }

    private CookieSyntax() {}

    static boolean isToken(char c) {
        return c < 128 && TOKEN[c];
    }

    /** True for a name that RFC 2109 reserves for attributes of cookies, or that begins with {@code $}; RFC 6265 reserves none. */
    static boolean isReserved(String token) {
        return token.charAt(0) == '$' || isOneOf(token, RESERVED);
    }

    /** True for an attribute of the cookie before it, which is none itself. */
    static boolean isAttribute(String token) {
        return token.charAt(0) == '$' && isOneOf(token, ATTRIBUTES);
    }

    private static boolean isOneOf(String token, String... names) {
        for (String name : names) {
            if (token.equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /** True for a cookie-octet, and for all non-ASCII characters. */
    static boolean isValue(char c) {
        return c > 0x20 && c != '"' && c != ',' && c != ';' && c != '\\' && c != 0x7f;
    }
}
