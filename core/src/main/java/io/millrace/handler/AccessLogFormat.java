package io.millrace.handler;

/** The kinds of lines of an {@link AccessLog}. */
public enum AccessLogFormat {
    /** Text by a pattern of Tomcat's {@code %} codes; {@code common} and {@code combined} are predefined. */
    PATTERN,
    /**
     * One JSON object (RFC 8259) per line, with a member for each {@code %} code of the pattern, named as by Tomcat's
     * JsonAccessLogValve. All values are strings. If requests have ids, {@code req} and {@code trace} follow.
     */
    JSON,
    /**
     * The W3C's Extended Log File Format, with the fields of Tomcat's ExtendedAccessLogValve: {@code date time c-ip
     * cs-method cs-uri sc-status cs(User-Agent)}. Each file begins with header lines that name the fields.
     */
    EXTENDED;

    /** @throws IllegalArgumentException if the pattern contains something unknown; the message names it */
    AccessFormat parse(String pattern, AccessFormat.Settings settings) {
        return switch (this) {
            case PATTERN -> AccessPattern.parse(pattern, settings);
            case JSON -> AccessPattern.parseJson(pattern, settings);
            case EXTENDED -> ExtendedPattern.parse(pattern, settings);
        };
    }
}
