package io.millrace.servlet.cookie;

import io.millrace.http.CookieFields;
import io.millrace.http.Headers;
import io.millrace.servlet.form.FormException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.http.Cookie;

/** Makes the API's cookies of the {@link CookieFields} of a request. */
public final class CookieReader {

    /** Cookie names that the constructor of {@link Cookie} refuses: attributes of RFC 2109. RFC 6265 reserves none. */
    private static final String[] RESERVED = {
        "Comment", "Discard", "Domain", "Expires", "Max-Age", "Path", "Secure", "Version"
    };

    private static final Cookie[] NONE = new Cookie[0];

    private CookieReader() {}

    /**
     * Returns the cookies of a request in order, without malformed ones; an empty array if there are none.
     *
     * @param limit largest number of cookies; negative: no limit
     * @throws FormException with status 400, if the request has more cookies
     */
    public static Cookie[] read(Headers request, int limit) {
        if (request.get("Cookie") == null) {
            return NONE;
        }
        List<Cookie> cookies = new ArrayList<>();
        CookieFields.forEach(request, (name, value) -> {
            if (limit >= 0 && cookies.size() >= limit) {
                throw new FormException(
                        400, "The request has more than " + limit + " cookies: raise maxCookieCount to accept it.");
            }
            cookies.add(isReserved(name) ? new ReservedCookie(name, value) : new Cookie(name, value));
        });
        return cookies.toArray(NONE);
    }

    /** Whether RFC 2109 reserves a name for attributes of cookies. */
    private static boolean isReserved(String name) {
        if (name.charAt(0) == '$') {
            return true;
        }
        for (String reserved : RESERVED) {
            if (name.equalsIgnoreCase(reserved)) {
                return true;
            }
        }
        return false;
    }

    /** A received cookie whose name the constructor of the API refuses: that of an attribute, such as {@code version}, or one with {@code $}. */
    private static final class ReservedCookie extends Cookie {

        private static final long serialVersionUID = 1L;

        private final String name;

        ReservedCookie(String name, String value) {
            super("reserved", value);
            this.name = name;
        }

        @Override
        public String getName() {
            return name;
        }
    }
}
