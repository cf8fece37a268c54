package io.millrace.handler;

import java.util.Locale;

/**
 * How the values of an access log are written.
 *
 * @param locale of times with a pattern of their own
 * @param ipv6Canonical IPv6 addresses are written as RFC 5952 says, rather than with all of their groups
 * @param relayed lines show requests as they were before a front end relayed them, also where a filter of the application says so
 */
record PatternSettings(Locale locale, boolean ipv6Canonical, boolean relayed) {}
