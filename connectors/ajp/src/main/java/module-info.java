/** AJP 1.3, for servers behind Apache httpd or IIS, and for proxies before servlet containers. */
module io.millrace.connector.ajp {
    requires transitive io.millrace.core;
    requires org.jboss.logging;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;

    exports io.millrace.connector.ajp;

    provides io.millrace.client.ClientProtocolProvider with
            io.millrace.connector.ajp.AjpClientProvider;
    provides io.millrace.protocol.ProtocolProvider with
            io.millrace.connector.ajp.AjpProtocolProvider;
}
