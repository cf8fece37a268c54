package io.millrace.connector.ajp;

import io.millrace.http.EncodedSlash;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whom an AJP connector believes, and its limits, with Tomcat's names and defaults. Immutable; {@link AjpOptionsBuilder} says
 * what each means.
 */
public final class AjpOptions {

    private final @Nullable String secret;
    private final @Nullable Pattern allowedRequestAttributesPattern;
    private final boolean tomcatAuthentication;
    private final boolean tomcatAuthorization;
    private final boolean ajpFlush;
    private final int packetSize;
    private final int maxHeaderCount;
    private final Duration connectionTimeout;
    private final Duration keepAliveTimeout;
    private final EncodedSlash encodedSolidusHandling;
    private final Charset pathCharset;

    AjpOptions(AjpOptionsBuilder from) {
        secret = from.secret;
        allowedRequestAttributesPattern = from.allowedRequestAttributesPattern;
        tomcatAuthentication = from.tomcatAuthentication;
        tomcatAuthorization = from.tomcatAuthorization;
        ajpFlush = from.ajpFlush;
        packetSize = from.packetSize;
        maxHeaderCount = from.maxHeaderCount;
        connectionTimeout = from.connectionTimeout;
        keepAliveTimeout = from.keepAliveTimeout == null ? from.connectionTimeout : from.keepAliveTimeout;
        encodedSolidusHandling = from.encodedSolidusHandling;
        pathCharset = from.pathCharset;
    }

    /** Tomcat's defaults; a secret is still to be set, or {@link AjpOptionsBuilder#secretRequired} to be false. */
    public static AjpOptionsBuilder builder() {
        return new AjpOptionsBuilder();
    }

    /** What each request must bring (403); null: anybody is believed. */
    public @Nullable String secret() {
        return secret;
    }

    /** Names of attributes that a front end may set (403 for others); null: none. */
    public @Nullable Pattern allowedRequestAttributesPattern() {
        return allowedRequestAttributesPattern;
    }

    /** Does only the application log users in? */
    public boolean tomcatAuthentication() {
        return tomcatAuthentication;
    }

    /** Must a user whom the front end logged in be known here as well, where his roles are? */
    public boolean tomcatAuthorization() {
        return tomcatAuthorization;
    }

    /** Is the front end told to pass on at once what was sent before the response's end? */
    public boolean ajpFlush() {
        return ajpFlush;
    }

    /** Octets of a packet, both ways. */
    public int packetSize() {
        return packetSize;
    }

    /** Header fields of a request (431). */
    public int maxHeaderCount() {
        return maxHeaderCount;
    }

    /** For the first packet, for the rest of each, and for each wait for input or output; zero waits for ever. */
    public Duration connectionTimeout() {
        return connectionTimeout;
    }

    /** Between requests; zero waits for ever. */
    public Duration keepAliveTimeout() {
        return keepAliveTimeout;
    }

    /** What becomes of {@code %2F} in a path. */
    public EncodedSlash encodedSolidusHandling() {
        return encodedSolidusHandling;
    }

    /** What escaped octets of a path are. */
    public Charset pathCharset() {
        return pathCharset;
    }
}
