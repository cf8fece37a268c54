package io.millrace.tls.openssl;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.ClientContract;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("io.millrace.testkit.Transports#installed")
final class ClientOverOpenSslTest extends ClientContract {

    private final String transport;

    ClientOverOpenSslTest(String transport) {
        this.transport = transport;
    }

    @Override
    protected TransportProvider provider() {
        return Transports.provider(transport);
    }

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.OPENSSL;
    }

    @AfterAll
    static void checkNothingLeft() {
        Leaks.check();
    }
}
