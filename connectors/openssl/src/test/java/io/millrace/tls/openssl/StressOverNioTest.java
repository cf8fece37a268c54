package io.millrace.tls.openssl;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.StressContract;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;

final class StressOverNioTest extends StressContract {

    @Override
    protected TransportProvider provider() {
        return Transports.provider("nio");
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
