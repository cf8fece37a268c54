package io.millrace.tls.openssl;

import io.millrace.testkit.TestTls;
import io.millrace.testkit.TlsClientContract;
import io.millrace.testkit.TransportHarness;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** OpenSSL as a client of servers with each implementation. */
@Tag("pairs")
@ParameterizedClass
@MethodSource("servers")
@Timeout(120)
final class ClientByOpenSslTest implements TlsClientContract {

    @Parameter(0)
    private String transport = "";

    @Parameter(1)
    private TlsImplementation server = TlsImplementation.AUTO;

    private @Nullable TransportHarness harness;

    /** Both servers on the default transport, and one on each of the others. */
    static List<Arguments> servers() {
        return Transports.connections().stream()
                .filter(each -> each.get()[1] != null)
                .toList();
    }

    @Override
    public TlsImplementation client() {
        return TlsImplementation.OPENSSL;
    }

    @Override
    public TransportHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("no test is running");
        }
        return harness;
    }

    @BeforeEach
    void open() {
        harness = TransportHarness.secured(Transports.provider(transport), TestTls.by(server));
    }

    @AfterEach
    void close() throws Exception {
        harness().close();
    }

    @AfterAll
    static void checkNothingLeft() {
        Leaks.check();
    }
}
