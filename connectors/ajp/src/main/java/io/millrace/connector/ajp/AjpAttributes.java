package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.ALLOWED_REQUEST_ATTRIBUTES;
import static io.millrace.connector.ajp.AjpOptions.TOMCAT_AUTHENTICATION;
import static io.millrace.connector.ajp.AjpOptions.TOMCAT_AUTHORIZATION;

import io.millrace.io.FrontEndNotes;
import io.millrace.io.FrontEndUser;
import io.millrace.protocol.RequestFault;
import io.millrace.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The attributes of a request, which follow its header fields in the packet: some have a code, others a name. */
final class AjpAttributes {

    private static final int END = 0xff;

    /** Attributes of IIS's redirector about TLS, and of mod_jk about its balancer: always permitted. */
    private static final Set<String> HARMLESS = Set.of(
            "CERT_ISSUER",
            "CERT_SUBJECT",
            "CERT_COOKIE",
            "HTTPS_SERVER_SUBJECT",
            "CERT_FLAGS",
            "HTTPS_SECRETKEYSIZE",
            "CERT_SERIALNUMBER",
            "HTTPS_SERVER_ISSUER",
            "HTTPS_KEYSIZE",
            "JK_LB_ACTIVATION");

    /** Attributes that containers use internally: a front end that could set them could include any file. */
    private static final Pattern FORBIDDEN = Pattern.compile(
            "javax?\\..*|jakarta\\..*|org\\.apache\\.(catalina|tomcat|jasper|coyote)\\..*|io\\.millrace\\..*");

    private final Settings options;
    private Map<String, String> named = Map.of();
    private boolean disallowed;
    private @Nullable String secret;
    private @Nullable String query;
    private @Nullable String storedMethod;
    private @Nullable String user;
    private @Nullable String authType;
    private @Nullable String certificates;
    private @Nullable String cipherSuite;
    private @Nullable String session;
    private @Nullable String tlsVersion;
    private @Nullable String remotePort;
    private @Nullable String localAddress;
    private int keySize;

    AjpAttributes(Settings options) {
        this.options = options;
    }

    /** Reads all attributes, to the end of the packet. */
    void read(PacketFields in) throws BadPacketException {
        for (int code = in.octet(); code != END; code = in.octet()) {
            switch (code) {
                case 0x01, 0x02, 0x06 ->
                    in.text(); // context, servlet path, route: for servers that do not map themselves
                case 0x03 -> user = in.text();
                case 0x04 -> authType = in.text();
                case 0x05 -> query = in.text();
                case 0x07 -> certificates = in.text();
                case 0x08 -> cipherSuite = in.text();
                case 0x09 -> session = in.text();
                case 0x0a -> named(in.textOrEmpty(), in.textOrEmpty());
                case 0x0b -> keySize = in.number();
                case 0x0c -> secret = in.text();
                case 0x0d -> storedMethod = in.text();
                default -> throw new BadPacketException(Defect.ATTRIBUTE);
            }
        }
        if (!in.isAtEnd()) {
            throw new BadPacketException(Defect.LEFT_OVER);
        }
    }

    /** The reason to reject the request; null if there is none. The secret is compared in constant time. */
    @Nullable
    RequestFault refusal() {
        String expected = AjpOptions.secret(options);
        if (!expected.isEmpty()) {
            if (secret == null) {
                return RequestFault.NO_SECRET;
            }
            if (!MessageDigest.isEqual(bytes(expected), bytes(secret))) {
                return RequestFault.WRONG_SECRET;
            }
        }
        return disallowed ? RequestFault.FORBIDDEN_ATTRIBUTE : null;
    }

    @Nullable
    String query() {
        return query;
    }

    @Nullable
    String storedMethod() {
        return storedMethod;
    }

    @Nullable
    String remotePort() {
        return remotePort;
    }

    @Nullable
    String localAddress() {
        return localAddress;
    }

    @Nullable
    String tlsVersion() {
        return tlsVersion;
    }

    @Nullable
    String cipherSuite() {
        return emptyToNull(cipherSuite);
    }

    /** Whether they imply TLS, even if the packet's flag does not. */
    boolean implyTls() {
        return cipherSuite() != null || emptyToNull(certificates) != null || emptyToNull(session) != null;
    }

    FrontEndNotes notes() {
        FrontEndUser trusted = trustedUser();
        String chain = emptyToNull(certificates);
        String id = emptyToNull(session);
        boolean any = keySize > 0 || chain != null || id != null || trusted != null || !named.isEmpty();
        return any ? new FrontEndNotes(keySize, id, chain, trusted, named) : FrontEndNotes.NONE;
    }

    private @Nullable FrontEndUser trustedUser() {
        boolean isTrusted = options.get(TOMCAT_AUTHORIZATION) || !options.get(TOMCAT_AUTHENTICATION);
        return user == null || user.isEmpty() || !isTrusted
                ? null
                : new FrontEndUser(user, emptyToNull(authType), options.get(TOMCAT_AUTHORIZATION));
    }

    private void named(String name, String value) {
        switch (name) {
            case "AJP_REMOTE_PORT" -> remotePort = value;
            case "AJP_LOCAL_ADDR" -> localAddress = value;
            case "AJP_SSL_PROTOCOL" -> tlsVersion = emptyToNull(value);
            case "javax.servlet.request.cipher_suite" -> cipherSuite = value;
            case "javax.servlet.request.ssl_session" -> session = value;
            case "javax.servlet.request.X509Certificate" -> certificates = value;
            case "javax.servlet.request.key_size" -> keySize = keySize(value);
            default -> {
                if (isAllowed(name)) {
                    named = named.isEmpty() ? new HashMap<>() : named;
                    named.put(name, value);
                } else {
                    disallowed = true;
                }
            }
        }
    }

    private boolean isAllowed(String name) {
        return HARMLESS.contains(name)
                || options.get(ALLOWED_REQUEST_ATTRIBUTES).matcher(name).matches()
                        && !FORBIDDEN.matcher(name).matches();
    }

    private static int keySize(String value) {
        return value.matches("\\d{1,5}") ? Integer.parseInt(value) : 0;
    }

    private static @Nullable String emptyToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
