package io.millrace.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The content codings that a client accepts: its {@code Accept-Encoding} fields (RFC 9110, 12.5.3). */
public final class AcceptEncoding {

    /** The weight of quality 1, and of a coding without a quality value: weights are thousandths. */
    public static final int FULL = 1000;

    private static final String IDENTITY = "identity";

    private final List<String> values;

    private AcceptEncoding(List<String> values) {
        this.values = values;
    }

    /** Reads the {@code Accept-Encoding} fields of a request. Without one, no coding is preferred over the identity. */
    public static AcceptEncoding of(Headers request) {
        return new AcceptEncoding(request.all("Accept-Encoding"));
    }

    /**
     * The weight of a coding, from 0 (not acceptable) to {@link #FULL}.
     *
     * @param coding the name, in lower case
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

    /** The weight of the identity, which is acceptable unless the client excludes it; 1 if the client does not mention it. */
    public int identity() {
        boolean named = false;
        for (String value : values) {
            named |= value.contains(IDENTITY);
        }
        return named ? weight(IDENTITY) : 1;
    }

    /**
     * The coding with the greatest weight; null if the unencoded bytes are at least as acceptable. Equal weights: the
     * first in the list.
     *
     * @param codings in lower case, in the server's order of preference
     */
    public @Nullable String best(List<String> codings) {
        String best = null;
        int highest = values.isEmpty() ? FULL : Math.max(0, identity() - 1);
        for (int i = 0; i < codings.size(); i++) {
            int weight = weight(codings.get(i));
            if (weight > highest) {
                highest = weight;
                best = codings.get(i);
            }
        }
        return best;
    }

    /** The index of the semicolon or comma that ends the name starting here, or of the value's end. */
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

    /** The quality parameter between these indexes, as in {@code q=0.5}. A malformed one counts as 0. */
    private static int quality(String value, int from, int end) {
        for (String parameter : value.substring(from, end).split(";", -1)) {
            String text = parameter.strip();
            if (text.regionMatches(true, 0, "q=", 0, 2)) {
                return thousandths(text.substring(2));
            }
        }
        return FULL;
    }

    /** At most three digits after the decimal point (RFC 9110, 12.4.2). */
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
