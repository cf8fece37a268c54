package io.millrace.tls.openssl;

import io.millrace.io.TransportProvider;
import io.millrace.natives.NativeObjects;
import io.millrace.testkit.StressContract;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("io.millrace.testkit.Transports#installed")
final class OpenSslStressTest extends StressContract {

    private final String transport;

    OpenSslStressTest(String transport) {
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

    @Override
    protected int connections() {
        return isNative() ? 20_000 : super.connections();
    }

    /** Those of OpenSSL, and the pools of apr where it is the transport. */
    @Override
    protected int nativeObjects() {
        return Leaks.count() + NativeObjects.live();
    }

    /** A bug here would crash the process. */
    private boolean isNative() {
        return transport.equals("apr");
    }

    @AfterAll
    static void checkNothingLeft() {
        Leaks.check();
    }
}
