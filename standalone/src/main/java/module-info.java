/** The standalone server: command line, server.xml, deployment of WARs. */
module io.millrace.standalone {
    requires io.millrace.core;
    requires io.millrace.servlet;
    requires java.naming;
    requires java.sql;
    requires java.xml;
    requires org.apache.tomcat.dbcp;
    requires org.jboss.logging;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;
    requires java.logging;

    uses io.millrace.io.TransportProvider;
}
