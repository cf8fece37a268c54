/** The standalone server: command line, server.xml, deployment of WARs. */
module io.millrace.standalone {
    requires io.millrace.core;
    requires io.millrace.servlet;
    requires java.management;
    requires java.naming;
    requires java.sql;
    requires java.xml;
    requires org.apache.tomcat.dbcp;
    requires org.apache.tomcat.juli;
    requires org.jboss.logging;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;
    requires java.logging;

    exports org.apache.catalina.valves.rewrite;
    exports io.millrace.standalone.log to
            java.logging;

    provides org.jboss.logging.LoggerProvider with
            io.millrace.standalone.log.ServerLogProvider;

    uses io.millrace.io.TransportProvider;
    uses io.millrace.protocol.ProtocolProvider;
}
