package io.millrace.tls.openssl;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Transports;
import io.millrace.testkit.WebSocketClientContract;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;

final class WebSocketClientOverOpenSslTest extends WebSocketClientContract {

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
