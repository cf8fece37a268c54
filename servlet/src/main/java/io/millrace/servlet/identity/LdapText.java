package io.millrace.servlet.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import javax.naming.ldap.Rdn;

/** Inserts values from clients into search filters and names, escaped against injection. */
final class LdapText {

    private LdapText() {}

    /** Escapes a value for a filter (RFC 4515, 3). */
    static String inFilter(String value) {
        StringBuilder text = new StringBuilder();
        for (byte b : value.getBytes(UTF_8)) {
            boolean special = b < 0x20 || b == '*' || b == '(' || b == ')' || b == '\\';
            if (special) {
                text.append('\\').append(String.format("%02x", b & 0xff));
            } else {
                text.append((char) b);
            }
        }
        return text.toString();
    }

    /** Escapes a value for a distinguished name (RFC 4514, 2.4). */
    static String inName(String value) {
        return Rdn.escapeValue(value);
    }

    /** Replaces the numbered placeholders of a filter or name. */
    static String filled(String pattern, String... values) {
        String text = pattern;
        StringBuilder filled = new StringBuilder();
        int from = 0;
        for (int at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
            int number = at + 2 < text.length() && text.charAt(at + 2) == '}' ? text.charAt(at + 1) - '0' : -1;
            if (number >= 0 && number < values.length) {
                filled.append(text, from, at).append(values[number]);
                from = at + 3;
            }
        }
        return filled.append(text.substring(from)).toString();
    }
}
