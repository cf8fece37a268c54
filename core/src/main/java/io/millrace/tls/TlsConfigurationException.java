package io.millrace.tls;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** TLS cannot be had as configured: a file is missing, a password wrong, a key not that of its certificate, and so on. */
public final class TlsConfigurationException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final TlsSetting setting;
    private final transient @Nullable TlsCertificate certificate;

    /**
     * It cannot be had.
     *
     * @param setting what to mend
     * @param message one sentence without a full stop: what was found, what was expected
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

    /** The same, of that certificate. */
    public TlsConfigurationException at(TlsCertificate which) {
        return new TlsConfigurationException(setting, which, String.valueOf(getMessage()), getCause());
    }

    /** What to mend. */
    public TlsSetting setting() {
        return setting;
    }

    /** Of which certificate, if it is one's setting. */
    public Optional<TlsCertificate> certificate() {
        return Optional.ofNullable(certificate);
    }
}
