package io.millrace.tls.openssl;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Http1TlsContract;
import io.millrace.testkit.InPart;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** On the other transports. */
@InPart
@ParameterizedClass(allowZeroInvocations = true)
@MethodSource("io.millrace.testkit.Transports#others")
final class Http1OverOpenSslOnOtherTransportsTest extends Http1TlsContract {

    private final String transport;

    Http1OverOpenSslOnOtherTransportsTest(String transport) {
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
