/** The server core: connections, protocols, exchanges and handlers, without servlets and without a transport. */
module io.millrace.core {
    requires transitive org.jboss.logging;
    requires static com.aayushatharva.brotli4j;
    requires static java.management;
    requires static jdk.jfr;
    requires static jdk.net;
    requires static jdk.management;
    requires static com.github.luben.zstd_jni;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;

    exports io.millrace;
    exports io.millrace.client;
    exports io.millrace.client.mux to
            io.millrace.connector.http2,
            io.millrace.connector.spdy;
    exports io.millrace.client.serial to
            io.millrace.connector.ajp;
    exports io.millrace.compression;
    exports io.millrace.io;
    exports io.millrace.jmx;
    exports io.millrace.io.socket to
            io.millrace.connector.apr,
            io.millrace.connector.bio,
            io.millrace.connector.nio,
            io.millrace.connector.nio2,
            io.millrace.testkit,
            io.millrace.tls.openssl;
    exports io.millrace.http;
    exports io.millrace.http1;
    exports io.millrace.protocol;
    exports io.millrace.protocol.mux to
            io.millrace.connector.http2,
            io.millrace.connector.spdy,
            io.millrace.testkit;
    exports io.millrace.protocol.serial to
            io.millrace.connector.ajp,
            io.millrace.testkit;
    exports io.millrace.exchange;
    exports io.millrace.exchange.stream;
    exports io.millrace.files;
    exports io.millrace.forwarded;
    exports io.millrace.handler;
    exports io.millrace.heap to
            io.millrace.standalone,
            io.millrace.testkit;
    exports io.millrace.jfr to
            io.millrace.servlet;
    exports io.millrace.metrics;
    exports io.millrace.net;
    exports io.millrace.proxy;
    exports io.millrace.proxyprotocol;
    exports io.millrace.rewrite;
    exports io.millrace.rules;
    exports io.millrace.settings;
    exports io.millrace.text to
            io.millrace.cluster.redis,
            io.millrace.connector.ajp,
            io.millrace.servlet,
            io.millrace.standalone,
            io.millrace.testkit,
            io.millrace.tls.openssl;
    exports io.millrace.tls;
    exports io.millrace.tls.certificate to
            io.millrace.cluster.redis,
            io.millrace.standalone;
    exports io.millrace.tls.layer to
            io.millrace.testkit;
    exports io.millrace.tls.material to
            io.millrace.standalone,
            io.millrace.testkit,
            io.millrace.tls.openssl;
    exports io.millrace.websocket;
    exports io.millrace.websocket.client;
    exports io.millrace.workers;

    uses io.millrace.client.ClientProtocolProvider;
    uses io.millrace.io.TransportProvider;
    uses io.millrace.protocol.ProtocolProvider;
    uses io.millrace.tls.TlsProvider;

    provides io.millrace.client.ClientProtocolProvider with
            io.millrace.http1.Http1ClientProvider;
}
