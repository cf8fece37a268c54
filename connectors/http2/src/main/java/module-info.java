/** HTTP/2 (RFC 9113). */
module io.millrace.connector.http2 {
    requires transitive io.millrace.core;
    requires org.jboss.logging;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;

    exports io.millrace.connector.http2;

    provides io.millrace.client.ClientProtocolProvider with
            io.millrace.connector.http2.Http2ClientProvider;
    provides io.millrace.protocol.ProtocolProvider with
            io.millrace.connector.http2.Http2ProtocolProvider;
}
