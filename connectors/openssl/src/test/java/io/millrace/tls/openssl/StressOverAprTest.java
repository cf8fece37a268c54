package io.millrace.tls.openssl;

import io.millrace.connector.apr.binding.Apr;
import io.millrace.io.TransportProvider;
import io.millrace.testkit.StressContract;
import io.millrace.testkit.Transports;
import io.millrace.tls.TlsImplementation;
import org.junit.jupiter.api.AfterAll;

final class StressOverAprTest extends StressContract {

    @Override
    protected TransportProvider provider() {
        return Transports.provider("apr");
    }

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.OPENSSL;
    }

    @Override
    protected int seconds() {
        return 20;
    }

    @Override
    protected int connections() {
        return 50_000;
    }

    @Override
    protected int nativeObjects() {
        return Leaks.count() + Apr.livePools();
    }

    @AfterAll
    static void checkNothingLeft() {
        Leaks.check();
    }
}
