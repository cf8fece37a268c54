package io.millrace.servlet.filter;

import io.millrace.http.HttpDates;
import io.millrace.http.ResponseHead;
import io.millrace.servlet.request.HttpServletResponseImpl;
import java.io.IOException;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.servlet.FilterChain;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Sets how long responses may be cached, by content type, with the init-params of Tomcat's {@code ExpiresFilter} and httpd's
 * mod_expires: {@code ExpiresByType image/png}, {@code ExpiresByType image}, {@code ExpiresDefault} and
 * {@code ExpiresExcludedResponseStatusCodes}. The application's own fields take precedence.
 */
public final class ExpiresFilter extends GenericFilter {

    private static final long serialVersionUID = 1L;

    private static final String BY_TYPE = "ExpiresByType ";
    private static final String DEFAULT = "ExpiresDefault";
    private static final String EXCLUDED = "ExpiresExcludedResponseStatusCodes";

    private final transient Map<String, Expiry> byType = new HashMap<>();
    private final transient Set<Integer> excluded = new HashSet<>();
    private transient @Nullable Expiry otherwise;

    @Override
    public void init() throws ServletException {
        String[] types = Collections.list(getFilterConfig().getInitParameterNames()).stream()
                .filter(name -> name.startsWith(BY_TYPE))
                .toArray(String[]::new);
        String[] known = Arrays.copyOf(types, types.length + 2);
        known[types.length] = DEFAULT;
        known[types.length + 1] = EXCLUDED;
        FilterParameters parameters = FilterParameters.lenient(getFilterConfig(), known);
        for (String name : types) {
            byType.put(normal(name.substring(BY_TYPE.length())), Expiry.parse(name, parameters.text(name, "")));
        }
        String text = parameters.text(DEFAULT);
        otherwise = text == null ? null : Expiry.parse(DEFAULT, text);
        for (String status : parameters.list(EXCLUDED, "304")) {
            if (!status.matches("\\d{3}")) {
                throw FilterParameters.refused(EXCLUDED, status, "status codes separated by commas");
            }
            excluded.add(Integer.parseInt(status));
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletResponseImpl.of(response).beforeHead(this::expire);
        chain.doFilter(request, response);
    }

    /** Called immediately before the head is sent. */
    private void expire(ResponseHead head) {
        String control = String.join(", ", head.headers().all("Cache-Control"));
        if (excluded.contains(head.status())
                || head.headers().contains("Expires")
                || control.toLowerCase(Locale.ROOT).contains("max-age")) {
            return;
        }
        Expiry expiry = of(head.headers().get("Content-Type"));
        Instant now = Instant.now();
        Instant end =
                expiry == null ? null : expiry.end(now, modified(head.headers().get("Last-Modified")));
        if (end != null) {
            long seconds = Math.max(0, end.getEpochSecond() - now.getEpochSecond());
            head.headers().set("Cache-Control", (control.isEmpty() ? "" : control + ", ") + "max-age=" + seconds);
            head.headers().set("Expires", HttpDates.format(end.toEpochMilli()));
        }
    }

    private static @Nullable Instant modified(@Nullable String field) {
        try {
            return field == null ? null : Instant.ofEpochMilli(HttpDates.parse(field));
        } catch (IllegalArgumentException none) {
            return null;
        }
    }

    /** Looks up the entire type, the type without parameters, then the part before the slash. */
    private @Nullable Expiry of(@Nullable String contentType) {
        if (contentType == null) {
            return otherwise;
        }
        String whole = normal(contentType);
        String type = whole.split(";", 2)[0];
        Expiry found = byType.get(whole);
        found = found == null ? byType.get(type) : found;
        found = found == null ? byType.get(type.split("/", 2)[0]) : found;
        return found == null ? otherwise : found;
    }

    private static String normal(String type) {
        return type.replace(" ", "").toLowerCase(Locale.ROOT);
    }

    /**
     * The expiry of a response, in the syntax of mod_expires: {@code access plus 1 month 15 days}, {@code modification plus 2 hours},
     * {@code A3600}.
     *
     * @param fromModification true to count from Last-Modified, false from now
     */
    private record Expiry(boolean fromModification, Period days, long seconds) {

        private static final String EXPECTED =
                "A or M and a number of seconds, or access, now or modification, optionally plus, and pairs like 15 days";

        static Expiry parse(String parameter, String text) throws ServletException {
            String stripped = text.strip().toLowerCase(Locale.ROOT);
            try {
                if (stripped.matches("[am]-?\\d+")) {
                    return new Expiry(stripped.startsWith("m"), Period.ZERO, Long.parseLong(stripped.substring(1)));
                }
                return parse(stripped.split("\\s+", -1));
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw FilterParameters.refused(parameter, text, EXPECTED);
            }
        }

        private static Expiry parse(String[] words) {
            int at = words.length > 1 && words[1].equals("plus") ? 2 : 1;
            if ((words.length - at) % 2 != 0) {
                throw new IllegalArgumentException();
            }
            boolean modification = switch (words[0]) {
                case "access", "now" -> false;
                case "modification" -> true;
                default -> throw new IllegalArgumentException();
            };
            Expiry sum = new Expiry(modification, Period.ZERO, 0);
            for (; at < words.length; at += 2) {
                sum = sum.plus(Integer.parseInt(words[at]), words[at + 1]);
            }
            return sum;
        }

        private Expiry plus(int count, String unit) {
            return switch (unit) {
                case "year", "years" -> new Expiry(fromModification, days.plusYears(count), seconds);
                case "month", "months" -> new Expiry(fromModification, days.plusMonths(count), seconds);
                case "week", "weeks" -> new Expiry(fromModification, days.plusDays(7L * count), seconds);
                case "day", "days" -> new Expiry(fromModification, days.plusDays(count), seconds);
                case "hour", "hours" -> new Expiry(fromModification, days, seconds + 3600L * count);
                case "minute", "minutes" -> new Expiry(fromModification, days, seconds + 60L * count);
                case "second", "seconds" -> new Expiry(fromModification, days, seconds + count);
                default -> throw new IllegalArgumentException();
            };
        }

        /** The time of expiry; null if it depends on an unknown Last-Modified. */
        @Nullable
        Instant end(Instant now, @Nullable Instant modified) {
            Instant start = fromModification ? modified : now;
            return start == null
                    ? null
                    : ZonedDateTime.ofInstant(start, ZoneOffset.UTC)
                            .plus(days)
                            .plusSeconds(seconds)
                            .toInstant();
        }
    }
}
