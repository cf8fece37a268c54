package io.millrace.tls.openssl;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.InPart;
import io.millrace.testkit.TlsTransportContract;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** On the other transports. */
@InPart
@ParameterizedClass(allowZeroInvocations = true)
@MethodSource("io.millrace.testkit.Transports#others")
final class OpenSslOnOtherTransportsTest extends TlsTransportContract {

    private final String transport;

    OpenSslOnOtherTransportsTest(String transport) {
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

    /** The JDK's asynchronous channels cannot reset a connection. */
    @Override
    public boolean canReset() {
        return !transport.equals("nio2");
    }

    @AfterAll
    static void checkNothingLeft() {
        Leaks.check();
    }
}
