package io.millrace.handler;

/** The kinds of lines that an {@link AccessLog} can write. */
public enum AccessLogFormat {
    /** Text with Tomcat's {@code %} codes; {@code common} and {@code combined} are two of them. */
    PATTERN,
    /**
     * One JSON object (RFC 8259) a line, with a member for each {@code %} code of the pattern, under the names of Tomcat's
     * JsonAccessLogValve. All values are strings.
     */
    JSON,
    /**
     * The W3C's Extended Log File Format, with the fields of Tomcat's ExtendedAccessLogValve: {@code date time c-ip cs-method
     * cs-uri sc-status cs(User-Agent)}. Each file begins with lines that name them.
     */
    EXTENDED;

    /** @throws IllegalArgumentException saying what is not known */
    AccessFormat parse(String pattern, PatternSettings settings) {
        return switch (this) {
            case PATTERN -> AccessPattern.parse(pattern, settings);
            case JSON -> JsonPattern.parse(pattern, settings);
            case EXTENDED -> ExtendedPattern.parse(pattern, settings);
        };
    }
}
