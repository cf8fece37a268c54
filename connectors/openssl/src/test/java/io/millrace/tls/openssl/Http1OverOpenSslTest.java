package io.millrace.tls.openssl;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1TlsContract;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;

/** On the default transport, all of the contract. */
final class Http1OverOpenSslTest extends Http1TlsContract {

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
