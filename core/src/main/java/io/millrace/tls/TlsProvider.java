package io.millrace.tls;

import java.util.List;

/**
 * A TLS implementation, found by {@link java.util.ServiceLoader}. It creates engines from keys and settings; reading
 * files, selecting hosts and reloading are implemented above it. Thread-safe.
 */
public interface TlsProvider {

    /** Which implementation it is; never {@link TlsImplementation#AUTO}. */
    TlsImplementation implementation();

    /**
     * Its name, with the version of a native library: {@code OpenSSL 3.0.22}.
     *
     * @throws IllegalStateException if it cannot be used here; the message says what to do
     */
    String describe();

    /** The supported cipher suites by their IANA names. */
    List<String> cipherSuites();

    /** Warnings about settings of a host that it supports differently or only under some condition. */
    List<TlsFinding> remarks(TlsHost host, List<String> versions);

    /**
     * Checks whether {@link #open} would succeed.
     *
     * @throws TlsConfigurationException as for {@link #open}
     */
    void check(TlsSettings settings);

    /**
     * Creates the context of a host.
     *
     * @throws TlsConfigurationException if the settings cannot be used; names the setting to correct
     */
    TlsContext open(TlsSettings settings);

    /**
     * Creates the engines of a client.
     *
     * @throws TlsConfigurationException if the settings cannot be used; names the setting to correct
     */
    TlsClientEngines client(TlsClientSettings settings);
}
