package io.millrace.tls;

/** The JDK's TLS. */
final class JsseProviderTest extends TlsProviderContract {

    @Override
    protected TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }
}
