package io.millrace.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What TLS is to be on one connector: its hosts, and what concerns all of them. Immutable. */
public final class TlsOptions {

    private final List<TlsHost> hosts;
    private final TlsHost defaultHost;
    private final TlsImplementation implementation;
    private final boolean strictSni;
    private final boolean refuseUnknownHosts;
    private final Duration handshakeTimeout;
    private final Duration reloadInterval;

    TlsOptions(TlsOptionsBuilder from) {
        hosts = List.copyOf(from.hosts);
        defaultHost = from.chooseDefault();
        implementation = from.implementation;
        strictSni = from.strictSni;
        refuseUnknownHosts = from.refuseUnknownHosts;
        handshakeTimeout = from.handshakeTimeout;
        reloadInterval = from.reloadInterval;
    }

    /** Options to be described, with several hosts, say. */
    public static TlsOptionsBuilder builder() {
        return new TlsOptionsBuilder();
    }

    /** One certificate with its chain, and its unencrypted key, from PEM files; for all host names. */
    public static TlsOptions pem(Path certificateFile, Path keyFile) {
        return builder()
                .host(TlsHost.any().pem(certificateFile, keyFile).build())
                .build();
    }

    /** One certificate from a PKCS#12 or JKS file, for all host names. */
    public static TlsOptions keystore(Path file, String password) {
        return builder().host(TlsHost.any().keystore(file, password).build()).build();
    }

    /** At least one, with different names. */
    public List<TlsHost> hosts() {
        return hosts;
    }

    /** The host for clients that name none, or one that is not here. */
    public TlsHost defaultHost() {
        return defaultHost;
    }

    /**
     * The host that serves a name: the one of just this name, else that of its wildcard, else the default one.
     *
     * @param name as the client sent it; any case
     */
    public TlsHost host(String name) {
        return HostPatterns.find(name, hosts, TlsHost::name).orElse(defaultHost);
    }

    /** Whose TLS it is to be. */
    public TlsImplementation implementation() {
        return implementation;
    }

    /** True if a request is refused (421) whose Host field belongs to another host here than the name its TLS was for. */
    public boolean strictSni() {
        return strictSni;
    }

    /** True if clients that name no host of these are refused in the handshake; false if the default host serves them. */
    public boolean refuseUnknownHosts() {
        return refuseUnknownHosts;
    }

    /** How long a handshake may take, from the connection to its end. */
    public Duration handshakeTimeout() {
        return handshakeTimeout;
    }

    /** How often files are looked at for change; zero: never. */
    public Duration reloadInterval() {
        return reloadInterval;
    }
}
