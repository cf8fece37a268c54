package io.millrace.tls.openssl;

import io.millrace.connector.nio2.Nio2TransportProvider;
import io.millrace.io.TransportProvider;
import io.millrace.testkit.TlsTransportContract;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;

final class OpenSslOverNio2Test extends TlsTransportContract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
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
