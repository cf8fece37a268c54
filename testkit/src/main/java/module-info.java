/** Contract suites and the connections, clients and clocks to test with. */
module io.millrace.testkit {
    requires transitive io.millrace.core;
    requires java.compiler;
    requires java.management;
    requires jdk.management;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires static org.jspecify;

    exports io.millrace.testkit;

    uses io.millrace.io.TransportProvider;
    uses io.millrace.protocol.ProtocolProvider;
}
