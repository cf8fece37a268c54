package io.millrace.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which content codings a client takes, by its {@code Accept-Encoding} fields (RFC 9110, 12.5.3). */
public final class AcceptEncoding {

    /** What a coding weighs that is taken without reserve. */
    public static final int FULL = 1000;

    private static final String IDENTITY = "identity";

    private final List<String> values;

    private AcceptEncoding(List<String> values) {
        this.values = values;
    }

    /** What the client says; one that says nothing gets nothing encoded. */
    public static AcceptEncoding of(Headers request) {
        return new AcceptEncoding(request.all("Accept-Encoding"));
    }

    /**
     * How much the client wants a coding: 0 not at all, {@link #FULL} most.
     *
     * @param coding in lower case
     */
    public int weight(String coding) {
        int any = 0;
        for (String value : values) {
            for (int at = 0; at < value.length(); ) {
                int nameEnd = endOfName(value, at);
                int comma = value.indexOf(',', nameEnd);
                int end = comma < 0 ? value.length() : comma;
                String name = value.substring(at, nameEnd).strip();
                if (isSame(name, coding)) {
                    return quality(value, nameEnd, end);
                }
                if (name.equals("*")) {
                    any = quality(value, nameEnd, end);
                }
                at = end + 1;
            }
        }
        return any;
    }

    /** How much it wants the bytes as they are: always a little, unless it says otherwise. */
    public int identity() {
        boolean named = false;
        for (String value : values) {
            named |= value.contains(IDENTITY);
        }
        return named ? weight(IDENTITY) : 1;
    }

    /**
     * The best of some codings; null if the bytes as they are do as well.
     *
     * @param codings in lower case, the best for the server first
     */
    public @Nullable String best(List<String> codings) {
        String best = null;
        int most = values.isEmpty() ? FULL : Math.max(0, identity() - 1);
        for (int i = 0; i < codings.size(); i++) {
            int weight = weight(codings.get(i));
            if (weight > most) {
                most = weight;
                best = codings.get(i);
            }
        }
        return best;
    }

    /** Where the name that begins here ends: at a semicolon or a comma, or with the value. */
    private static int endOfName(String value, int from) {
        int at = from;
        while (at < value.length() && value.charAt(at) != ';' && value.charAt(at) != ',') {
            at++;
        }
        return at;
    }

    private static boolean isSame(String name, String coding) {
        return name.equalsIgnoreCase(coding)
                || name.length() == coding.length() + 2
                        && name.regionMatches(true, 0, "x-", 0, 2)
                        && name.regionMatches(true, 2, coding, 0, coding.length());
    }

    /** Of the parameters between these: {@code q=0.5}. What can't be understood weighs nothing. */
    private static int quality(String value, int from, int end) {
        for (String parameter : value.substring(from, end).split(";", -1)) {
            String text = parameter.strip();
            if (text.regionMatches(true, 0, "q=", 0, 2)) {
                return thousandths(text.substring(2));
            }
        }
        return FULL;
    }

    /** Three digits after the point at most (RFC 9110, 12.4.2). */
    private static int thousandths(String text) {
        boolean wellFormed = !text.isEmpty() && text.length() <= 5 && (text.length() == 1 || text.charAt(1) == '.');
        int sum = 0;
        int unit = FULL;
        for (int i = 0; wellFormed && i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (i != 1) {
                wellFormed = digit >= 0 && digit <= 9;
                sum += digit * unit;
                unit /= 10;
            }
        }
        return wellFormed && sum <= FULL ? sum : 0;
    }
}
