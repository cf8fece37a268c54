package io.millrace.tls.openssl;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.TlsTransportContract;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;

/** On the default transport, all of the contract. */
final class OpenSslTransportTest extends TlsTransportContract {

    @Override
    protected TransportProvider provider() {
        return Transports.provider(Transports.byDefault());
    }

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.OPENSSL;
    }

    /** The JDK's asynchronous channels cannot reset a connection. */
    @Override
    public boolean canReset() {
        return !Transports.byDefault().equals("nio2");
    }

    @AfterAll
    static void checkNothingLeft() {
        Leaks.check();
    }
}
