package io.millrace.handler;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A pattern of Tomcat's access log, taken apart once. */
final class AccessPattern {

    private static final String COMMON = "%h %l %u %t \"%r\" %s %b";
    private static final String COMBINED = COMMON + " \"%{Referer}i\" \"%{User-Agent}i\"";

    private final AccessField[] fields;
    private final boolean commitTime;

    private AccessPattern(List<AccessField> fields, boolean commitTime) {
        this.fields = fields.toArray(AccessField[]::new);
        this.commitTime = commitTime;
    }

    /**
     * Takes a pattern apart.
     *
     * @param pattern {@code common}, {@code combined}, or text with {@code %x} and {@code %{name}x}
     * @throws IllegalArgumentException saying which code is not known
     */
    static AccessPattern of(String pattern) {
        return switch (pattern) {
            case "common" -> parse(COMMON);
            case "combined" -> parse(COMBINED);
            default -> parse(pattern);
        };
    }

    void write(AccessEntry entry, LineBuffer line) {
        for (AccessField field : fields) {
            field.append(entry, line);
        }
        line.end();
    }

    /** True if lines tell when responses were committed, which somebody has to take down. */
    boolean needsCommitTime() {
        return commitTime;
    }

    private static AccessPattern parse(String pattern) {
        List<AccessField> fields = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        boolean commitTime = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '%' || pattern.startsWith("%%", i)) {
                literal.append(c);
                i += c == '%' ? 1 : 0;
                continue;
            }
            addLiteral(fields, literal);
            int code = codeAt(pattern, i + 1);
            String argument = code == i + 1 ? "" : pattern.substring(i + 2, code - 1);
            fields.add(AccessFields.field(pattern.charAt(code), argument, pattern));
            commitTime |= pattern.charAt(code) == 'F';
            i = code;
        }
        addLiteral(fields, literal);
        return new AccessPattern(fields, commitTime);
    }

    private static int codeAt(String pattern, int at) {
        int code = pattern.startsWith("{", at) ? pattern.indexOf('}', at) + 1 : at;
        if (code < at || code == 0 || code >= pattern.length()) {
            throw new IllegalArgumentException(
                    "The access log pattern \"" + pattern + "\" breaks off after " + pattern.substring(at - 1));
        }
        return code;
    }

    private static void addLiteral(List<AccessField> fields, StringBuilder literal) {
        if (literal.length() > 0) {
            byte[] bytes = literal.toString().getBytes(StandardCharsets.UTF_8);
            fields.add((entry, line) -> line.bytes(bytes));
            literal.setLength(0);
        }
    }
}
