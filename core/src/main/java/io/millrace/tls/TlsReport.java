package io.millrace.tls;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The result of checking a configuration.
 *
 * @param findings errors and warnings, in the order of the hosts; with an error the connector does not start
 * @param lines engine, versions and certificates, one line for each host, to be printed after the line of the connector
 * @param hosts what each host uses; incomplete if there are errors
 */
public record TlsReport(List<TlsFinding> findings, List<String> lines, List<Host> hosts) {

    /**
     * What a host uses.
     *
     * @param name the host's
     * @param cipherSuites by their IANA names, in the order of preference
     * @param chains of each certificate, the host's own first
     * @param authorities of clients' certificates; empty for none, or those of the JDK
     */
    public record Host(
            String name,
            List<String> cipherSuites,
            List<List<X509Certificate>> chains,
            List<X509Certificate> authorities) {}

    /** Whether there are no errors. */
    public boolean isUsable() {
        return findings.stream().noneMatch(TlsFinding::isError);
    }
}
