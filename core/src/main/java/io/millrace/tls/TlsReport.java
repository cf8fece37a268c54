package io.millrace.tls;

import java.util.List;

/**
 * What a configuration comes to.
 *
 * @param findings errors and warnings, in the order of the hosts; nothing starts with an error
 * @param lines engine, versions and certificates, to be printed below the line of a port: a line for each host
 */
public record TlsReport(List<TlsFinding> findings, List<String> lines) {

    /** True if TLS can be had so. */
    public boolean isUsable() {
        return findings.stream().noneMatch(TlsFinding::isError);
    }
}
