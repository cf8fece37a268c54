package io.millrace.tls;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.ConnectorOptions;
import io.millrace.forwarded.RemoteIp;
import io.millrace.settings.Settings;
import io.millrace.websocket.WebSocketOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Options reject settings that they do not use: a security setting must not be ignored. */
class OptionsTest {

    private static final Path FILE = Path.of("revoked.pem");

    @Test
    void ofClientsRefuseWhatServersAloneRead() {
        String message = refused(() -> TlsClientOptions.DEFAULT.with(TlsHost.CERTIFICATE_REVOCATION_LIST_FILE, FILE));
        assertTrue(
                message.startsWith("certificateRevocationListFile would have no effect here; expected one of"),
                message);
        assertTrue(message.contains("verifyHostName"), message);
        refused(() -> TlsClientOptions.DEFAULT.with(TlsOptions.STRICT_SNI, true));
    }

    @Test
    void ofClientsRefuseItInGivenSettingsToo() {
        Settings revoked = Settings.DEFAULTS.with(TlsHost.CERTIFICATE_REVOCATION_LIST_FILE, FILE);
        String expected = "certificateRevocationListFile is read by TLS servers only; expected of a client one of"
                + " verifyHostName, protocols, ciphers, caCertificateFile, truststoreFile, sslImplementation";
        assertEquals(expected, refused(() -> TlsClientOptions.DEFAULT.with(revoked)));
        assertEquals(expected, refused(() -> new TlsClientOptions(null, List.of(), revoked)));
    }

    @Test
    void ofClientsTakeWhatTheyRead() {
        TlsClientOptions options = TlsClientOptions.DEFAULT
                .with(TlsHost.PROTOCOLS, "TLSv1.3")
                .with(TlsHost.CA_CERTIFICATE_FILE, FILE)
                .with(TlsOptions.IMPLEMENTATION, TlsImplementation.AUTO)
                .with(TlsClientOptions.VERIFY_HOST_NAME, true);
        assertEquals(FILE, options.settings().find(TlsHost.CA_CERTIFICATE_FILE));
    }

    @Test
    void ofServersRefuseEachOthers() {
        TlsHost host = TlsHost.any();
        refused(() -> host.with(TlsOptions.STRICT_SNI, true));
        refused(() -> TlsOptions.pem(FILE, FILE).with(TlsHost.PROTOCOLS, "TLSv1.3"));
        refused(() -> RemoteIp.DEFAULT.with(TlsHost.PROTOCOLS, "TLSv1.3"));
        refused(() -> WebSocketOptions.DEFAULT.with(TlsHost.PROTOCOLS, "TLSv1.3"));
        assertDoesNotThrow(() -> host.with(TlsHost.PROTOCOLS, "TLSv1.3"));
    }

    @Test
    void ofConnectorsRefuseThoseOfTls() {
        ConnectorBuilder connector = Connector.builder();
        assertEquals(
                "strictSni is a setting of TLS; expected it in the TlsOptions that tls is called with",
                refused(() -> connector.with(TlsOptions.STRICT_SNI, true)));
        refused(() -> connector.with(TlsHost.PROTOCOLS, "TLSv1.3"));
        assertDoesNotThrow(() -> connector.with(ConnectorOptions.THROW_ON_FAILURE, true));
    }

    private static String refused(Executable call) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, call).getMessage());
    }
}
