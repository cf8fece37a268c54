package io.millrace.standalone.admin;

import io.millrace.Connector;
import io.millrace.ConnectorState;
import io.millrace.tls.TlsReport;
import io.millrace.tls.material.ReloadingEngines;
import java.lang.management.ManagementFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers about the server itself in the text interface of Tomcat's manager: its versions, its threads, its TLS. */
final class ServerText {

    private static final String NO_TLS = "SSL is not enabled for this connector";
    private static final String NO_AUTHORITIES = "No trusted certificates configured for this virtual host";

    /** Clients look here for the first version in a text, to know the commands: tomcatmanager refuses all others. */
    private static final String COMPATIBLE = "Apache Tomcat/9.0.117 compatible, Millrace ";

    private final ServerAdministration server;

    ServerText(ServerAdministration server) {
        this.server = server;
    }

    String info() {
        return "OK - Server info\nTomcat Version: [" + COMPATIBLE + server.version() + "]\nOS Name: ["
                + System.getProperty("os.name") + "]\nOS Version: [" + System.getProperty("os.version")
                + "]\nOS Architecture: [" + System.getProperty("os.arch") + "]\nJVM Version: ["
                + System.getProperty("java.runtime.version") + "]\nJVM Vendor: ["
                + System.getProperty("java.vm.vendor") + "]\n";
    }

    /** Without arguments and properties, which may contain passwords. */
    static String vmInfo() {
        Runtime runtime = Runtime.getRuntime();
        return "OK - VM info\nJava: " + System.getProperty("java.vm.name") + " " + Runtime.version() + "\nProcess: "
                + ProcessHandle.current().pid() + "\nUp: "
                + Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime()) + "\nProcessors: "
                + runtime.availableProcessors() + "\nHeap used: " + (runtime.totalMemory() - runtime.freeMemory())
                + "\nHeap committed: " + runtime.totalMemory() + "\nHeap limit: " + runtime.maxMemory()
                + "\nThreads: " + ManagementFactory.getThreadMXBean().getThreadCount() + "\nClasses: "
                + ManagementFactory.getClassLoadingMXBean().getLoadedClassCount() + "\n";
    }

    static String threadDump() {
        StringBuilder text = new StringBuilder("OK - JVM thread dump\n");
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            text.append("\n\"")
                    .append(thread.getName())
                    .append("\" ")
                    .append(thread.getState())
                    .append('\n');
            for (StackTraceElement frame : stack) {
                text.append("    at ").append(frame).append('\n');
            }
        });
        return text.toString();
    }

    /** Of all hosts, also if one is named: those whose files are unchanged keep what they have. */
    String reloadTls(@Nullable String named) {
        List<String> kept = server.reloadTls();
        if (!kept.isEmpty()) {
            return "FAIL - Failed to reload TLS configuration\n" + String.join("\n", kept) + "\n";
        }
        return "OK - Reloaded TLS configuration for " + (named == null ? "all TLS virtual hosts" : "[" + named + "]")
                + "\n";
    }

    String ciphers() {
        return tls("OK - Connector/SSL Cipher information", ServerText::ciphersOf);
    }

    String chains() {
        return tls("OK - Connector / Certificate Chain information", ServerText::chainsOf);
    }

    String authorities() {
        return tls("OK - Connector / Trusted Certificate information", ServerText::authoritiesOf);
    }

    /** Reads the files of the connectors as they are now. */
    private String tls(String first, Function<TlsReport.Host, Map<String, List<String>>> describe) {
        StringBuilder text = new StringBuilder(first).append('\n');
        for (Connector connector : connectors()) {
            String name = "Connector[" + connector.name() + "]";
            if (connector.tls() == null) {
                text.append(name).append("\n  ").append(NO_TLS).append('\n');
            } else {
                for (TlsReport.Host each :
                        ReloadingEngines.inspect(connector.tls()).hosts()) {
                    describe.apply(each).forEach((key, lines) -> {
                        text.append(name)
                                .append('-')
                                .append(each.name())
                                .append(key)
                                .append('\n');
                        lines.forEach(line -> text.append("  ").append(line).append('\n'));
                    });
                }
            }
        }
        return text.toString();
    }

    private List<Connector> connectors() {
        return server.connectors().stream().map(ConnectorState::connector).toList();
    }

    private static Map<String, List<String>> ciphersOf(TlsReport.Host host) {
        return Map.of("", host.cipherSuites());
    }

    private static Map<String, List<String>> chainsOf(TlsReport.Host host) {
        Map<String, List<String>> chains = new TreeMap<>();
        for (List<X509Certificate> chain : host.chains()) {
            chains.put("-" + chain.get(0).getPublicKey().getAlgorithm(), texts(chain));
        }
        return chains;
    }

    private static Map<String, List<String>> authoritiesOf(TlsReport.Host host) {
        return Map.of("", host.authorities().isEmpty() ? List.of(NO_AUTHORITIES) : texts(host.authorities()));
    }

    private static List<String> texts(List<X509Certificate> certificates) {
        return certificates.stream().map(X509Certificate::toString).toList();
    }
}
