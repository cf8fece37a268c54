package io.millrace.tls;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's options as an implementation of TLS needs them: files read, expressions understood.
 *
 * @param options what was configured
 * @param key our own certificate and key; null for none
 * @param versions newest first: {@code TLSv1.3}
 * @param cipherSuites IANA names, the most wanted first
 * @param authorities that servers' certificates are verified against; null for those that the JDK trusts
 */
public record TlsClientSettings(
        TlsClientOptions options,
        TlsSettings.@Nullable Key key,
        List<String> versions,
        List<String> cipherSuites,
        @Nullable List<X509Certificate> authorities) {}
