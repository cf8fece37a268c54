package io.millrace.tls;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The TLS configuration cannot be used: for example, a file is missing, a password is wrong, or a key does not match its
 * certificate.
 */
public final class TlsConfigurationException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final TlsSetting setting;
    private final transient @Nullable TlsCertificate certificate;

    /**
     * An exception for a setting.
     *
     * @param setting the setting to correct
     * @param message one sentence without a full stop: what was found and what was expected
     */
    public TlsConfigurationException(TlsSetting setting, String message, @Nullable Throwable cause) {
        this(setting, null, message, cause);
    }

    private TlsConfigurationException(
            TlsSetting setting, @Nullable TlsCertificate certificate, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.setting = setting;
        this.certificate = certificate;
    }

    /** The same exception for a setting of this certificate. */
    public TlsConfigurationException at(TlsCertificate which) {
        return new TlsConfigurationException(setting, which, String.valueOf(getMessage()), getCause());
    }

    /** The setting to correct. */
    public TlsSetting setting() {
        return setting;
    }

    /** The certificate whose setting it is; empty if it is not one of a certificate. */
    public Optional<TlsCertificate> certificate() {
        return Optional.ofNullable(certificate);
    }
}
