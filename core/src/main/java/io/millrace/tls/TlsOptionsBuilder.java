package io.millrace.tls;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes {@link TlsOptions}. */
public final class TlsOptionsBuilder {

    final List<TlsHost> hosts = new ArrayList<>();
    TlsImplementation implementation = TlsImplementation.JSSE;
    boolean strictSni = true;
    boolean refuseUnknownHosts;
    Duration handshakeTimeout = Duration.ofSeconds(20);
    Duration reloadInterval = Duration.ofSeconds(10);
    private @Nullable String defaultHostName;

    TlsOptionsBuilder() {}

    /** A host; may be called again, for another name. */
    public TlsOptionsBuilder host(TlsHost value) {
        hosts.add(Objects.requireNonNull(value));
        return this;
    }

    /** The name of the default host; otherwise it is {@link TlsHost#ANY}, or the first one if none is called so. */
    public TlsOptionsBuilder defaultHostName(String value) {
        defaultHostName = value.toLowerCase(Locale.ROOT);
        return this;
    }

    /** Whose TLS it is to be; the JDK's otherwise. */
    public TlsOptionsBuilder implementation(TlsImplementation value) {
        implementation = Objects.requireNonNull(value);
        return this;
    }

    /**
     * Whether a request is refused (421) whose Host field belongs to another host here than the name its TLS was for;
     * true otherwise. Without it a client gets round one host's demand for certificates by naming another.
     */
    public TlsOptionsBuilder strictSni(boolean value) {
        strictSni = value;
        return this;
    }

    /** Whether clients that name no host of these are refused in the handshake; false otherwise. */
    public TlsOptionsBuilder refuseUnknownHosts(boolean value) {
        refuseUnknownHosts = value;
        return this;
    }

    /** How long a handshake may take; 20 seconds otherwise. */
    public TlsOptionsBuilder handshakeTimeout(Duration value) {
        handshakeTimeout = positive("handshakeTimeout", value);
        return this;
    }

    /** How often certificates and keys are looked at for change; 10 seconds otherwise; zero: never. */
    public TlsOptionsBuilder reloadInterval(Duration value) {
        reloadInterval = value.isZero() ? value : positive("reloadInterval", value);
        return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException if there is no host, two have one name, or the default one is not there
     */
    public TlsOptions build() {
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("TLS has no host; add one, for instance TlsHost.any()");
        }
        Set<String> names = new HashSet<>();
        for (TlsHost host : hosts) {
            if (!names.add(host.name())) {
                throw new IllegalArgumentException("TLS has two hosts called " + host.name());
            }
        }
        return new TlsOptions(this);
    }

    TlsHost chooseDefault() {
        String wanted = defaultHostName == null ? TlsHost.ANY : defaultHostName;
        for (TlsHost host : hosts) {
            if (host.name().equals(wanted)) {
                return host;
            }
        }
        if (defaultHostName != null) {
            throw new IllegalArgumentException("TLS has no host called " + defaultHostName
                    + ", which is to be the default one; there are " + hosts);
        }
        return hosts.get(0);
    }

    private static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " is " + value + "; expected a positive time");
        }
        return value;
    }
}
