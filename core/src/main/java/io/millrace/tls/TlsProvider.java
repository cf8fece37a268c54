package io.millrace.tls;

import java.util.List;

/**
 * One implementation of TLS, found by {@link java.util.ServiceLoader}. Reading files, choosing hosts and reloading are done
 * above it, once for all; it makes engines of keys and settings. Any thread.
 */
public interface TlsProvider {

    /** Which one it is; never {@link TlsImplementation#AUTO}. */
    TlsImplementation implementation();

    /**
     * Its name, with its version where that depends on the machine: {@code OpenSSL 3.0.22}.
     *
     * @throws IllegalStateException if it can't be used here, saying what to do
     */
    String describe();

    /** The cipher suites it has, by their IANA names. */
    List<String> cipherSuites();

    /** What a host asks for that it does otherwise, or only under some condition: warnings. */
    List<TlsFinding> remarks(TlsHost host, List<String> versions);

    /**
     * Finds out whether {@link #open} would succeed, and keeps nothing.
     *
     * @throws TlsConfigurationException as that would
     */
    void check(TlsSettings settings);

    /**
     * What makes engines with these settings.
     *
     * @throws TlsConfigurationException if it can't use them, naming the setting to blame
     */
    TlsContext open(TlsSettings settings);

    /**
     * What makes engines of clients with these settings.
     *
     * @throws TlsConfigurationException if it can't use them, naming the setting to blame
     */
    TlsClientEngines client(TlsClientSettings settings);
}
