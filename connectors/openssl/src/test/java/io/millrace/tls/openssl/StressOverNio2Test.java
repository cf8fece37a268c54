package io.millrace.tls.openssl;

import io.millrace.connector.nio2.Nio2TransportProvider;
import io.millrace.io.TransportProvider;
import io.millrace.testkit.StressContract;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;

final class StressOverNio2Test extends StressContract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
    }

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.OPENSSL;
    }

    @Override
    protected int nativeObjects() {
        return Leaks.count();
    }

    @AfterAll
    static void checkNothingLeft() {
        Leaks.check();
    }
}
