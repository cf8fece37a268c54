package io.millrace.tls;

import java.util.List;

/**
 * The result of checking a configuration.
 *
 * @param findings errors and warnings, in the order of the hosts; with an error the connector does not start
 * @param lines engine, versions and certificates, one line for each host, to be printed after the line of the connector
 */
public record TlsReport(List<TlsFinding> findings, List<String> lines) {

    /** Whether there are no errors. */
    public boolean isUsable() {
        return findings.stream().noneMatch(TlsFinding::isError);
    }
}
