package io.millrace.tls;

import io.millrace.tls.contract.TlsProviderContract;

/** The JDK's TLS. */
final class JsseProviderTest extends TlsProviderContract {

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }
}
