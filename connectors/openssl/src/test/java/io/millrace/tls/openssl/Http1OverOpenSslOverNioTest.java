package io.millrace.tls.openssl;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1TlsContract;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;

final class Http1OverOpenSslOverNioTest extends Http1TlsContract {

    @Override
    protected TransportProvider provider() {
        return Transports.provider("nio");
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
