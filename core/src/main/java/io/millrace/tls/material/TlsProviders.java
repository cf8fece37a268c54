package io.millrace.tls.material;

import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.jsse.JsseProvider;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The implementations of TLS in this process. */
public final class TlsProviders {

    private static final Map<TlsImplementation, TlsProvider> FOUND = new ConcurrentHashMap<>();

    private TlsProviders() {}

    /**
     * The name of the implementation, with the version of a native library: {@code OpenSSL 3.0.22}.
     *
     * @throws IllegalStateException if it is not available; the message says what to do
     */
    public static String describe(TlsImplementation wanted) {
        return of(wanted).describe();
    }

    /**
     * An available implementation.
     *
     * @throws TlsConfigurationException if it is not available; the message says what to do
     */
    static TlsProvider configured(TlsImplementation wanted) {
        try {
            return of(wanted);
        } catch (IllegalStateException unusable) {
            throw new TlsConfigurationException(
                    TlsSetting.IMPLEMENTATION, String.valueOf(unusable.getMessage()), unusable);
        }
    }

    /** An available implementation; throws an {@link IllegalStateException} that says what is missing. */
    private static TlsProvider of(TlsImplementation wanted) {
        if (wanted == TlsImplementation.AUTO) {
            return usable(find(TlsImplementation.OPENSSL)) ? of(TlsImplementation.OPENSSL) : of(TlsImplementation.JSSE);
        }
        TlsProvider provider = find(wanted);
        if (provider == null) {
            String name = wanted.name().toLowerCase(java.util.Locale.ROOT);
            throw new IllegalStateException(
                    "the TLS implementation " + name + " is not on the class path; add the module millrace-" + name);
        }
        provider.describe();
        return provider;
    }

    private static boolean usable(@Nullable TlsProvider provider) {
        if (provider == null) {
            return false;
        }
        try {
            provider.describe();
            return true;
        } catch (IllegalStateException cannotWork) {
            return false;
        }
    }

    private static @Nullable TlsProvider find(TlsImplementation wanted) {
        if (wanted == TlsImplementation.JSSE) {
            return JsseProvider.INSTANCE;
        }
        TlsProvider known = FOUND.get(wanted);
        if (known == null) {
            ServiceLoader.load(TlsProvider.class, TlsProvider.class.getClassLoader())
                    .forEach(provider -> FOUND.putIfAbsent(provider.implementation(), provider));
            known = FOUND.get(wanted);
        }
        return known;
    }
}
