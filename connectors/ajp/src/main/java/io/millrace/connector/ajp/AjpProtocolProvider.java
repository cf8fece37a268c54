package io.millrace.connector.ajp;

import io.millrace.http.EncodedSlash;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolProvider;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Makes AJP of what server.xml says. */
public final class AjpProtocolProvider implements ProtocolProvider {

    /** For the service loader. */
    public AjpProtocolProvider() {}

    @Override
    public String name() {
        return "ajp";
    }

    @Override
    public Protocol create(String scheme, Map<String, String> attributes) {
        AjpOptionsBuilder options = AjpOptions.builder();
        String secret = attributes.getOrDefault("secret", attributes.get("requiredSecret"));
        if (secret != null) {
            options.secret(secret);
        }
        attributes.forEach((name, value) -> set(options, name, value));
        return new AjpProtocol(options.build(), scheme);
    }

    private static void set(AjpOptionsBuilder options, String name, String value) {
        switch (name) {
            case "secretRequired" -> options.secretRequired(Boolean.parseBoolean(value));
            case "allowedRequestAttributesPattern" -> options.allowedRequestAttributesPattern(Pattern.compile(value));
            case "tomcatAuthentication" -> options.tomcatAuthentication(Boolean.parseBoolean(value));
            case "tomcatAuthorization" -> options.tomcatAuthorization(Boolean.parseBoolean(value));
            case "ajpFlush" -> options.ajpFlush(Boolean.parseBoolean(value));
            case "packetSize" -> options.packetSize(packetSize(value));
            case "maxHeaderCount" -> options.maxHeaderCount(unlimited(value));
            case "connectionTimeout" -> options.connectionTimeout(timeout(value));
            case "keepAliveTimeout" -> options.keepAliveTimeout(timeout(value));
            case "encodedSolidusHandling" ->
                options.encodedSolidusHandling(
                        EncodedSlash.valueOf(value.strip().toUpperCase(Locale.ROOT)));
            case "URIEncoding" -> options.pathCharset(Charset.forName(value));
            default -> {} // for somebody else
        }
    }

    /** As Tomcat does: sizes beyond the limits become the nearest that AJP has. */
    private static int packetSize(String value) {
        int size = Integer.parseInt(value.strip());
        return Math.min(AjpOptionsBuilder.LARGEST_PACKET, Math.max(AjpOptionsBuilder.LEAST_PACKET, size));
    }

    private static int unlimited(String value) {
        int count = Integer.parseInt(value.strip());
        return count < 0 ? Integer.MAX_VALUE : count;
    }

    /** Tomcat's -1 waits for ever. */
    private static Duration timeout(String value) {
        return Duration.ofMillis(Math.max(0, Long.parseLong(value.strip())));
    }
}
