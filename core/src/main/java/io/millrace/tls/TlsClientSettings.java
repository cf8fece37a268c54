package io.millrace.tls;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a client, as passed to a TLS implementation: with files read and expressions parsed.
 *
 * @param options the configured options
 * @param key the client's certificate and key; null for none
 * @param versions newest first, {@code TLSv1.3} for example
 * @param cipherSuites IANA names in order of preference
 * @param authorities the trusted certificates; null for those of the JDK
 */
public record TlsClientSettings(
        TlsClientOptions options,
        TlsSettings.@Nullable Key key,
        List<String> versions,
        List<String> cipherSuites,
        @Nullable List<X509Certificate> authorities) {}
