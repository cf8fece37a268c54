package io.millrace.tls.openssl;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.ClientContract;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;

final class ClientOverOpenSslTest extends ClientContract {

    @Override
    protected TransportProvider provider() {
        return Transports.provider(Transports.byDefault());
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
