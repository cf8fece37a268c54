package io.millrace.standalone.admin;

import java.util.Map;
import javax.servlet.Servlet;

/** The servlets that administer a server, by the names that the descriptors of Tomcat's manager have. */
public final class ManagerClasses {

    private static final String PACKAGE = "org.apache.catalina.manager.";

    /** By name. */
    public static final Map<String, Class<? extends Servlet>> ALL = Map.of(
            PACKAGE + "ManagerServlet", ManagerServlet.class,
            PACKAGE + "HTMLManagerServlet", HtmlManagerServlet.class,
            PACKAGE + "StatusManagerServlet", StatusServlet.class,
            PACKAGE + "JMXProxyServlet", JmxProxyServlet.class);

    private ManagerClasses() {}
}
