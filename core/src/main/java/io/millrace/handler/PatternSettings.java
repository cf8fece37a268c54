package io.millrace.handler;

import java.util.Locale;

/**
 * Options for the values in an access log.
 *
 * @param locale of times with an explicit pattern
 * @param ipv6Canonical whether IPv6 addresses are written in the canonical form of RFC 5952 instead of with all groups
 * @param relayed whether lines show the client and request reported by a front end, as determined by a relay or a filter of the application
 */
record PatternSettings(Locale locale, boolean ipv6Canonical, boolean relayed) {}
