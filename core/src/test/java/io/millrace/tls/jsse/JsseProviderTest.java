package io.millrace.tls.jsse;

import io.millrace.tls.TlsImplementation;
import io.millrace.tls.contract.TlsProviderContract;

/** The JDK's TLS. */
final class JsseProviderTest extends TlsProviderContract {

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }
}
