package io.millrace.proxyprotocol;

import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndNotes;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Parses the fields of a header, which describe the client's connection with the front end. Unknown fields are skipped, as the
 * specification requires; a known field that occurs twice is an error, because it would be ambiguous.
 */
final class FrontEndFields {

    private static final int ALPN = 0x01;
    private static final int AUTHORITY = 0x02;
    private static final int UNIQUE_ID = 0x05;
    private static final int MAX_UNIQUE_ID = 128;
    private static final int SSL = 0x20;
    private static final int SSL_VERSION = 0x21;
    private static final int SSL_CLIENT_NAME = 0x22;
    private static final int SSL_CIPHER = 0x23;

    /** The bit for a client that connected with TLS. */
    private static final int OVER_TLS = 0x01;

    /** The bits for a client that presented a certificate, on this connection or earlier in the TLS session. */
    private static final int WITH_CERTIFICATE = 0x02 | 0x04;

    private final BitSet seen = new BitSet();
    private boolean secure;
    private boolean verified;
    private @Nullable String tlsVersion;
    private @Nullable String cipherSuite;
    private @Nullable String clientName;
    private @Nullable String serverName;
    private @Nullable String applicationProtocol;
    private @Nullable String uniqueId;

    /** Parses the rest of a header. */
    FrontEnd read(ByteBuffer block) throws BadHeaderException {
        for (Field field = Field.next(block); field != null; field = Field.next(block)) {
            switch (field.type()) {
                case ALPN -> applicationProtocol = once(field).text();
                case AUTHORITY -> serverName = once(field).text();
                case UNIQUE_ID -> uniqueId = uniqueId(once(field).value());
                case SSL -> readTls(once(field).value());
                default -> {
                    // the checksum was verified before; the others are not used
                }
            }
        }
        return new FrontEnd(
                secure,
                tlsVersion,
                cipherSuite,
                verified ? clientName : null,
                serverName,
                applicationProtocol,
                uniqueId,
                FrontEndNotes.NONE);
    }

    private void readTls(ByteBuffer value) throws BadHeaderException {
        if (value.remaining() < 1 + Integer.BYTES) {
            throw new BadHeaderException(
                    "its field about TLS has " + value.remaining() + " bytes; expected at least 5");
        }
        int client = value.get();
        boolean verifies = value.getInt() == 0;
        secure = (client & OVER_TLS) != 0;
        verified = secure && verifies && (client & WITH_CERTIFICATE) != 0;
        for (Field field = Field.next(value); field != null; field = Field.next(value)) {
            switch (field.type()) {
                case SSL_VERSION -> tlsVersion = once(field).text();
                case SSL_CLIENT_NAME -> clientName = once(field).text();
                case SSL_CIPHER -> cipherSuite = once(field).text();
                default -> {
                    // the algorithms and the certificate are not used
                }
            }
        }
    }

    private static String uniqueId(ByteBuffer value) throws BadHeaderException {
        if (value.remaining() > MAX_UNIQUE_ID) {
            throw new BadHeaderException(
                    "its unique id has " + value.remaining() + " bytes; expected at most " + MAX_UNIQUE_ID);
        }
        byte[] id = new byte[value.remaining()];
        value.get(id);
        return HexFormat.of().formatHex(id);
    }

    private Field once(Field field) throws BadHeaderException {
        if (seen.get(field.type())) {
            throw new BadHeaderException(String.format("it has field 0x%02x twice", field.type()));
        }
        seen.set(field.type());
        return field;
    }
}
