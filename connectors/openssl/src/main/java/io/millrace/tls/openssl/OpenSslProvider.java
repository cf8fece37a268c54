package io.millrace.tls.openssl;

import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientSettings;
import io.millrace.tls.TlsContext;
import io.millrace.tls.TlsFinding;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.TlsSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Provides TLS by OpenSSL 3. Only this class and the module declaration are compiled for Java 17, so that a server on a Java
 * before 22 can list it and report what it needs. It therefore loads the implementation by name.
 */
public final class OpenSslProvider implements TlsProvider {

    private static final int MIN_JAVA = 22;
    private static final String CONTEXTS = "io.millrace.tls.openssl.OpenSslContexts";

    private @Nullable TlsProvider contexts;

    /** For {@link java.util.ServiceLoader}. */
    public OpenSslProvider() {}

    @Override
    public TlsImplementation implementation() {
        return TlsImplementation.OPENSSL;
    }

    @Override
    public String describe() {
        return contexts().describe();
    }

    @Override
    public List<String> cipherSuites() {
        return contexts().cipherSuites();
    }

    @Override
    public List<TlsFinding> remarks(TlsHost host, List<String> versions) {
        return contexts().remarks(host, versions);
    }

    @Override
    public void check(TlsSettings settings) {
        contexts().check(settings);
    }

    @Override
    public TlsContext open(TlsSettings settings) {
        return contexts().open(settings);
    }

    @Override
    public TlsClientEngines client(TlsClientSettings settings) {
        return contexts().client(settings);
    }

    private synchronized TlsProvider contexts() {
        TlsProvider known = contexts;
        if (known == null) {
            int java = Runtime.version().feature();
            if (java < MIN_JAVA) {
                throw new IllegalStateException("TLS by OpenSSL needs Java " + MIN_JAVA + " or newer; this is Java "
                        + java + ". Run on a newer one, or choose jsse");
            }
            known = load();
            contexts = known;
        }
        return known;
    }

    private static TlsProvider load() {
        try {
            return Class.forName(CONTEXTS)
                    .asSubclass(TlsProvider.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("the JAR of the module millrace-openssl is incomplete", impossible);
        }
    }
}
