package io.millrace.tls;

import org.jspecify.annotations.Nullable;

/**
 * An error or a warning about a configuration.
 *
 * @param isError whether the connector cannot start
 * @param host the host whose setting it is
 * @param certificate the certificate whose setting it is; null for a setting of the host
 * @param setting the setting
 * @param text one sentence without a full stop: what was found and what was expected
 */
public record TlsFinding(
        boolean isError, TlsHost host, @Nullable TlsCertificate certificate, TlsSetting setting, String text) {}
