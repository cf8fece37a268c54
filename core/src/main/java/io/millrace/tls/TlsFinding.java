package io.millrace.tls;

import org.jspecify.annotations.Nullable;

/**
 * Something wrong with a configuration, or worth knowing.
 *
 * @param isError true if the connector can't start so
 * @param host whose setting it is
 * @param certificate whose setting it is; null if it is the host's
 * @param text one sentence without a full stop: what was found, what was expected
 */
public record TlsFinding(
        boolean isError, TlsHost host, @Nullable TlsCertificate certificate, TlsSetting setting, String text) {}
