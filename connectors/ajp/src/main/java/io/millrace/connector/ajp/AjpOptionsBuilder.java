package io.millrace.connector.ajp;

import io.millrace.http.EncodedSlash;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Describes {@link AjpOptions}. The names and what is not set are Tomcat's. */
public final class AjpOptionsBuilder {

    /** What AJP was made with; both ends must agree on more. */
    static final int LEAST_PACKET = 8192;

    static final int LARGEST_PACKET = 65_536;

    @Nullable
    String secret;

    boolean secretRequired = true;

    @Nullable
    Pattern allowedRequestAttributesPattern;

    boolean tomcatAuthentication = true;
    boolean tomcatAuthorization;
    boolean ajpFlush = true;
    int packetSize = LEAST_PACKET;
    int maxHeaderCount = 100;
    Duration connectionTimeout = Duration.ZERO;

    @Nullable
    Duration keepAliveTimeout;

    EncodedSlash encodedSolidusHandling = EncodedSlash.REJECT;
    Charset pathCharset = StandardCharsets.UTF_8;

    AjpOptionsBuilder() {}

    /** What each request must bring, or it is answered by 403; ISO 8859-1. */
    public AjpOptionsBuilder secret(String value) {
        secret = value.isEmpty() ? null : value;
        return this;
    }

    /** Whether {@link #build} insists on a secret; true otherwise. */
    public AjpOptionsBuilder secretRequired(boolean value) {
        secretRequired = value;
        return this;
    }

    /**
     * The names, as a whole, of attributes that the front end may set; others are answered by 403, as all are without this.
     * Those that servlets and containers exchange among themselves ({@code javax.servlet.…}) stay forbidden.
     */
    public AjpOptionsBuilder allowedRequestAttributesPattern(Pattern value) {
        allowedRequestAttributesPattern = value;
        return this;
    }

    /** Whether only the application logs users in; true otherwise. False: whom the front end names is logged in. */
    public AjpOptionsBuilder tomcatAuthentication(boolean value) {
        tomcatAuthentication = value;
        return this;
    }

    /** Whether the front end logs users in and the application's realm knows their roles; false otherwise. */
    public AjpOptionsBuilder tomcatAuthorization(boolean value) {
        tomcatAuthorization = value;
        return this;
    }

    /** Whether the front end is told to pass on at once what is sent before the response's end; true otherwise. */
    public AjpOptionsBuilder ajpFlush(boolean value) {
        ajpFlush = value;
        return this;
    }

    /** Octets of the largest packet, both ways; 8192 otherwise. The front end must be set to the same. */
    public AjpOptionsBuilder packetSize(int value) {
        if (value < LEAST_PACKET || value > LARGEST_PACKET) {
            throw new IllegalArgumentException(
                    "packetSize is " + value + "; expected a value from " + LEAST_PACKET + " to " + LARGEST_PACKET);
        }
        packetSize = value;
        return this;
    }

    /** Header fields of one request; 100 otherwise. */
    public AjpOptionsBuilder maxHeaderCount(int value) {
        maxHeaderCount = value;
        return this;
    }

    /** For the first packet, and for each wait for input or output; zero, as otherwise, waits for ever. */
    public AjpOptionsBuilder connectionTimeout(Duration value) {
        connectionTimeout = Objects.requireNonNull(value);
        return this;
    }

    /** Between requests; the connectionTimeout otherwise. */
    public AjpOptionsBuilder keepAliveTimeout(Duration value) {
        keepAliveTimeout = Objects.requireNonNull(value);
        return this;
    }

    /** What becomes of {@code %2F} in a path; it is refused otherwise. */
    public AjpOptionsBuilder encodedSolidusHandling(EncodedSlash value) {
        encodedSolidusHandling = Objects.requireNonNull(value);
        return this;
    }

    /** What escaped octets of a path are; UTF-8 otherwise. */
    public AjpOptionsBuilder pathCharset(Charset value) {
        pathCharset = Objects.requireNonNull(value);
        return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException if a secret is required and there is none: whoever reaches the port could say that he
     *     is anybody
     */
    public AjpOptions build() {
        if (secretRequired && secret == null) {
            throw new IllegalArgumentException(
                    "An AJP connector needs a secret, which each request must bring: set secret,"
                            + " or secretRequired to false if nobody but the front end can reach the port.");
        }
        return new AjpOptions(this);
    }
}
