package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** TLS sessions by either implementation, asked for by openssl … */
@NullUnmarked
@ParameterizedClass
@MethodSource("io.millrace.standalone.EitherTls#installed")
final class TlsSessionsIT {

    private static final String CONNECTOR = """
            <Connector port='0' address='127.0.0.1' SSLEnabled='true' scheme='https' secure='true'
                sslImplementation='%s'>
              <SSLHostConfig>
                <Certificate certificateFile='certs/ec.pem' certificateKeyFile='certs/ec.key'/>
              </SSLHostConfig>
              <SSLHostConfig hostName='brief.test' sessionTimeout='2'>
                <Certificate certificateFile='certs/ec.pem' certificateKeyFile='certs/ec.key'/>
              </SSLHostConfig>
              <SSLHostConfig hostName='small.test' sessionCacheSize='1'>
                <Certificate certificateFile='certs/ec.pem' certificateKeyFile='certs/ec.key'/>
              </SSLHostConfig>
            </Connector>
            """;

    @TempDir
    private static Path base;

    private static CertificateAuthority authority;
    private static ProbeServer server;

    private final EitherTls implementation;
    private final OpensslClient openssl;

    TlsSessionsIT(EitherTls implementation) {
        this.implementation = implementation;
        openssl = new OpensslClient(implementation.port(server.product().ports()), authority);
    }

    @BeforeAll
    static void start() throws Exception {
        authority = new CertificateAuthority(base.resolve("certs"));
        authority.makeEc("ec", "of EC", "localhost");
        server = ProbeServer.serving(base, EitherTls.forEach(CONNECTOR::formatted));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Of TLS 1.2, kept by the server. */
    private String begun(String host, String name) throws Exception {
        String session = base.resolve(implementation + "-" + host + "-" + name).toString();
        String said = openssl.hello(host, "-tls1_2", "-no_ticket", "-sess_out", session);
        assertTrue(said.contains("New, TLSv1.2"), said);
        return session;
    }

    private boolean resumes(String host, String session) {
        try {
            String said = openssl.hello(host, "-tls1_2", "-no_ticket", "-sess_in", session);
            assertTrue(said.contains("HTTP/1.1 200 "), said);
            return said.contains("Reused, TLSv1.2");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void areForgottenAfterTheirTime() throws Exception {
        String brief = begun("brief.test", "one");
        String day = begun("localhost", "one");
        Deadline.await("the session's end", () -> !resumes("brief.test", brief));
        assertTrue(resumes("localhost", day), "it was to last for a day");
    }

    @Test
    void makeRoomForOthersWhereTheCacheIsSmall() throws Exception {
        String first = begun("small.test", "first");
        assertTrue(resumes("small.test", first), "alone in the cache");
        begun("small.test", "second");
        assertFalse(resumes("small.test", first), "the cache has room for one");
        String other = begun("localhost", "first");
        begun("localhost", "second");
        assertTrue(resumes("localhost", other), "the default has room for both");
    }
}
