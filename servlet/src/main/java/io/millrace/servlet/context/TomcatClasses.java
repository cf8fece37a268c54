package io.millrace.servlet.context;

import io.millrace.servlet.filter.AddDefaultCharsetFilter;
import io.millrace.servlet.filter.CharacterEncodingFilter;
import io.millrace.servlet.filter.CorsFilter;
import io.millrace.servlet.filter.CsrfPreventionFilter;
import io.millrace.servlet.filter.ExpiresFilter;
import io.millrace.servlet.filter.FailedRequestFilter;
import io.millrace.servlet.filter.HeaderSecurityFilter;
import io.millrace.servlet.filter.RateLimitFilter;
import io.millrace.servlet.filter.RemoteAddrFilter;
import io.millrace.servlet.filter.RemoteCidrFilter;
import io.millrace.servlet.filter.RemoteHostFilter;
import io.millrace.servlet.filter.RemoteIpFilter;
import io.millrace.servlet.filter.RequestDumperFilter;
import io.millrace.servlet.filter.RestCsrfPreventionFilter;
import io.millrace.servlet.filter.SessionInitializerFilter;
import io.millrace.servlet.filter.WebdavFixFilter;
import io.millrace.servlet.model.FilterModel;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import javax.servlet.Filter;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** Replacements for Tomcat's classes in web.xml. An application's own classes of these names take precedence. */
final class TomcatClasses {

    private static final String FILTERS = "org.apache.catalina.filters.";

    private static final String SERVLETS = "org.apache.catalina.servlets.";

    private static final String INCLUDES =
            "server-side includes are not evaluated; use <jsp:include>, or have httpd evaluate them (mod_include)";

    private static final String MANAGER =
            "Tomcat's manager controls Tomcat. WARs and directories that are put into appBase,"
                    + " replaced or deleted are deployed, redeployed and undeployed while the server runs; a HealthCheckValve and the"
                    + " access log report its state; remove this application";

    private static final String HOST_MANAGER =
            "Tomcat's host manager controls Tomcat. Hosts are elements of server.xml, which"
                    + " is read at the start; remove this application";

    static final Map<String, Class<?>> STAND_INS = Map.ofEntries(
            Map.entry(FILTERS + "AddDefaultCharsetFilter", AddDefaultCharsetFilter.class),
            Map.entry(FILTERS + "CorsFilter", CorsFilter.class),
            Map.entry(FILTERS + "CsrfPreventionFilter", CsrfPreventionFilter.class),
            Map.entry(FILTERS + "ExpiresFilter", ExpiresFilter.class),
            Map.entry(FILTERS + "FailedRequestFilter", FailedRequestFilter.class),
            Map.entry(FILTERS + "HttpHeaderSecurityFilter", HeaderSecurityFilter.class),
            Map.entry(FILTERS + "RateLimitFilter", RateLimitFilter.class),
            Map.entry(FILTERS + "RemoteAddrFilter", RemoteAddrFilter.class),
            Map.entry(FILTERS + "RemoteCIDRFilter", RemoteCidrFilter.class),
            Map.entry(FILTERS + "RemoteHostFilter", RemoteHostFilter.class),
            Map.entry(FILTERS + "RemoteIpFilter", RemoteIpFilter.class),
            Map.entry(FILTERS + "RequestDumperFilter", RequestDumperFilter.class),
            Map.entry(FILTERS + "RestCsrfPreventionFilter", RestCsrfPreventionFilter.class),
            Map.entry(FILTERS + "SessionInitializerFilter", SessionInitializerFilter.class),
            Map.entry(FILTERS + "SetCharacterEncodingFilter", CharacterEncodingFilter.class),
            Map.entry(FILTERS + "WebdavFixFilter", WebdavFixFilter.class));

    /** Servlets and filters that only Tomcat has, with the advice for each. */
    private static final Map<String, String> ABSENT = Map.of(
            SERVLETS + "CGIServlet",
            "programs are not run for requests; have httpd run them (mod_cgid)",
            "org.apache.catalina.ssi.SSIServlet",
            INCLUDES,
            "org.apache.catalina.ssi.SSIFilter",
            INCLUDES,
            "org.apache.catalina.manager.ManagerServlet",
            MANAGER,
            "org.apache.catalina.manager.HTMLManagerServlet",
            MANAGER,
            "org.apache.catalina.manager.StatusManagerServlet",
            MANAGER,
            "org.apache.catalina.manager.JMXProxyServlet",
            MANAGER,
            "org.apache.catalina.manager.host.HostManagerServlet",
            HOST_MANAGER,
            "org.apache.catalina.manager.host.HTMLHostManagerServlet",
            HOST_MANAGER);

    private TomcatClasses() {}

    /** The advice for a class that only Tomcat has; null for other classes. */
    static @Nullable String advice(@Nullable String className) {
        return className == null ? null : ABSENT.get(className);
    }

    /** The advice as a sentence for a response. */
    static String sentence(@Nullable String className) {
        return "This is " + className + ", a part of Tomcat that Millrace does not have: " + advice(className) + ".";
    }

    /** The replacement for a class that an application does not have; null if there is none. */
    static @Nullable Class<?> standIn(String className) {
        Class<?> found = STAND_INS.get(className);
        return found == null && ABSENT.containsKey(className) && !className.endsWith("Filter")
                ? AbsentServlet.class
                : found;
    }

    /** The message for a filter with invalid init-params. */
    static String ofFilter(String name, String reason) {
        return "filter \"" + name + "\": " + reason;
    }

    /**
     * The message about invalid init-params of one of Millrace's filters; null if they are valid. Runs no code of the
     * application.
     */
    static @Nullable String defect(FilterModel filter) {
        Class<?> type = STAND_INS.get(String.valueOf(filter.className));
        if (type == null) {
            return null;
        }
        try {
            Filter made = (Filter) type.getDeclaredConstructor().newInstance();
            made.init(new ModelConfig(filter));
            return null;
        } catch (ServletException e) {
            return ofFilter(filter.name, String.valueOf(e.getMessage()));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " has no public constructor without parameters", e);
        }
    }

    /** A filter's parameters, before the application exists. */
    private record ModelConfig(FilterModel filter) implements FilterConfig {

        @Override
        public String getFilterName() {
            return filter.name;
        }

        @Override
        public ServletContext getServletContext() {
            throw new IllegalStateException("the application has not started");
        }

        @Override
        public @Nullable String getInitParameter(String name) {
            return filter.initParameters.get(name);
        }

        @Override
        public Enumeration<String> getInitParameterNames() {
            return Collections.enumeration(filter.initParameters.keySet());
        }
    }

    /**
     * Responds with 501 for a Tomcat servlet that Millrace does not have, and suggests an alternative. Without it, the default
     * servlet would send sources or directories.
     */
    private static final class AbsentServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String className =
                    getServletContext().getServletRegistration(getServletName()).getClassName();
            response.sendError(HttpServletResponse.SC_NOT_IMPLEMENTED, TomcatClasses.sentence(className));
        }
    }
}
