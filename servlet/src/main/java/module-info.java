/** Servlet 4.0 as a light wrapper over the handler chain. */
module io.millrace.servlet {
    requires transitive io.millrace.core;
    requires transitive javax.servlet.api;
    requires org.jboss.jandex;
    requires org.jboss.logging;
    requires static java.desktop;
    requires static java.prefs;
    requires static org.jboss.logging.annotations;
    requires static org.jspecify;
    requires java.naming;
    requires transitive java.security.jgss;
    requires transitive java.sql;
    requires java.xml;

    exports io.millrace.servlet;
    exports io.millrace.servlet.deploy;
    exports io.millrace.servlet.model;
    exports io.millrace.servlet.naming;
    exports io.millrace.servlet.naming.java;
    exports io.millrace.servlet.form;
    exports io.millrace.servlet.identity;
    exports io.millrace.servlet.resource;
    exports io.millrace.servlet.security;
    exports io.millrace.servlet.session;
    exports io.millrace.servlet.session.cluster;
    exports io.millrace.servlet.session.store;
    exports io.millrace.servlet.settings;
    exports io.millrace.servlet.upgrade;
    exports io.millrace.servlet.deploy.loader to
            io.millrace.standalone;
    exports org.apache.catalina.loader;
}
