/** SPDY/3.1 and SPDY/3. */
module io.millrace.connector.spdy {
    requires transitive io.millrace.core;
    requires org.jboss.logging;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;

    exports io.millrace.connector.spdy;

    provides io.millrace.client.ClientProtocolProvider with
            io.millrace.connector.spdy.SpdyClientProvider;
    provides io.millrace.protocol.ProtocolProvider with
            io.millrace.connector.spdy.SpdyProtocolProvider;
}
