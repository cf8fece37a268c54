package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.testkit.Sources;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A WAR whose web.xml names a class by the name it has in Tomcat … */
class TomcatClassesInWarTest {

    private static final String PACKAGE = "org.apache.catalina.filters.";

    @TempDir
    Path directory;

    /** Parameters are name and value in turns. */
    private static Archive war(String filter, String... parameters) {
        StringBuilder xml = new StringBuilder(
                "<filter><filter-name>f</filter-name><filter-class>" + PACKAGE + filter + "</filter-class>");
        for (int i = 0; i < parameters.length; i += 2) {
            xml.append("<init-param><param-name>")
                    .append(parameters[i])
                    .append("</param-name><param-value>")
                    .append(parameters[i + 1])
                    .append("</param-value></init-param>");
        }
        xml.append(
                "</filter><filter-mapping><filter-name>f</filter-name><url-pattern>/*</url-pattern></filter-mapping>");
        return new Archive().with("a.txt", "a").webXml(xml.toString());
    }

    private WebApplication application(Archive war) throws IOException {
        return WebApplication.war(war.writeTo(directory.resolve("shop.war"))).workDirectory(directory.resolve("work"));
    }

    private static Server start(WebApplication application) throws IOException {
        return Server.builder().port(0).failFast(true).application(application).start();
    }

    private static int status(Server server) throws Exception {
        return get(server).statusCode();
    }

    private static HttpResponse<String> get(Server server) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + "/a.txt");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AddDefaultCharsetFilter",
                "CorsFilter",
                "ExpiresFilter",
                "FailedRequestFilter",
                "HttpHeaderSecurityFilter",
                "RateLimitFilter",
                "RemoteIpFilter",
                "RequestDumperFilter",
                "RestCsrfPreventionFilter",
                "SessionInitializerFilter",
                "SetCharacterEncodingFilter",
                "WebdavFixFilter"
            })
    void hasIt(String filter) throws Exception {
        WebApplication application = application(war(filter));
        assertEquals(List.of(), application.inspect().defects());
        try (Server server = start(application)) {
            assertEquals(200, status(server));
        }
    }

    @Test
    void isProtectedByIt() throws Exception {
        try (Server server = start(application(war("CsrfPreventionFilter", "denyStatus", "404")))) {
            assertEquals(404, status(server));
        }
    }

    /** X-XSS-Protection is obsolete: Tomcat sends it only if it is asked to. */
    @ParameterizedTest
    @CsvSource({"false, ", "true, 1; mode=block"})
    void sendsTheFieldsForBrowsersThatTomcatSends(String asked, @Nullable String protection) throws Exception {
        Archive war = asked.equals("true")
                ? war("HttpHeaderSecurityFilter", "xssProtectionEnabled", asked)
                : war("HttpHeaderSecurityFilter");
        try (Server server = start(application(war))) {
            HttpHeaders fields = get(server).headers();
            assertEquals("DENY", fields.firstValue("X-Frame-Options").orElse(null));
            assertEquals("nosniff", fields.firstValue("X-Content-Type-Options").orElse(null));
            assertEquals(protection, fields.firstValue("X-XSS-Protection").orElse(null));
        }
    }

    @Test
    void isAskedForClassesThatTheConfigurationNeeds() throws Exception {
        Map<String, byte[]> driver = Sources.compile("package shop; public class Driver {}");
        WebApplication application = application(new Archive().classes(driver));
        assertEquals(
                Set.of("shop.OtherDriver"),
                application.inspect(Set.of("shop.Driver", "shop.OtherDriver")).absent());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            CorsFilter               | cors.allowed.origin      | *         | has no init-param cors.allowed.origin; did you mean 'cors.allowed.origins'
            CorsFilter               | cors.allowed.origins     | a b       | cors.allowed.origins is "a b"; expected * or origins
            CorsFilter               | cors.support.credentials | yes       | expected true or false
            CsrfPreventionFilter     | nonceCacheSize           | 0         | expected a number from 1
            CsrfPreventionFilter     | entrypoints              | /         | has no init-param entrypoints; did you mean 'entryPoints'
            CsrfPreventionFilter     | noNonceURLPatterns       | /(/       | expected a regular expression
            RestCsrfPreventionFilter | denyStatus               | 200       | expected a number from 400 to 599
            RemoteIpFilter           | internalProxies          | 10(       | expected a regular expression
            RemoteIpFilter           | trustedProxy             | 10        | did you mean 'trustedProxies'
            RateLimitFilter          | bucketRequests           | many      | expected a number from 1
            RateLimitFilter          | rateLimitClassName       | a.B       | expected org.apache.catalina.util.FastRateLimiter
            FailedRequestFilter      | x                        | y         | has no init-param x; it has none
            HttpHeaderSecurityFilter | hstsMaxAgeSecond         | 1         | did you mean 'hstsMaxAgeSeconds'
            AddDefaultCharsetFilter  | encoding                 | no-such   | expected default, system or an encoding
            ExpiresFilter            | ExpiresDefault           | soon      | expected A or M and a number of seconds
            ExpiresFilter            | ExpiresDefault           | now 1     | expected A or M and a number of seconds
            ExpiresFilter            | ExpiresExcludedResponseStatusCodes | x | expected status codes
            """)
    void doesNotStartIfAParameterIsWrongAndCheckSaysIt(String filter, String name, String value, String reason)
            throws Exception {
        WebApplication application = application(war(filter, name, value));
        List<String> defects = application.inspect().defects();
        assertEquals(1, defects.size());
        assertTrue(defects.get(0).startsWith("filter \"f\": ") && defects.get(0).contains(reason), defects.get(0));
        Throwable cause = assertThrows(
                        IllegalStateException.class, () -> start(application).close())
                .getCause();
        assertTrue(cause instanceof DeploymentException, String.valueOf(cause));
        assertEquals(defects.get(0), cause.getMessage());
    }

    @Test
    void refusesAnyOriginWithCredentials() throws Exception {
        WebApplication application =
                application(war("CorsFilter", "cors.allowed.origins", "*", "cors.support.credentials", "true"));
        assertTrue(application.inspect().defects().get(0).contains("every page could act as the user"));
    }

    /** As in Tomcat, it costs a warning where nothing is protected. */
    @Test
    void startsIfAParameterIsUnknownThatProtectsNothing() throws Exception {
        try (Server server = start(application(war("ExpiresFilter", "ExpireDefault", "A1")))) {
            assertEquals(200, status(server));
        }
    }

    @Test
    void usesItsOwnIfItBringsOne() throws Exception {
        Map<String, byte[]> own = Sources.compile("package org.apache.catalina.filters; import javax.servlet.*;"
                + " import javax.servlet.http.*; public class CorsFilter extends HttpFilter {"
                + " protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)"
                + " throws java.io.IOException { response.setStatus(418); } }");
        WebApplication application =
                application(war("CorsFilter", "any", "thing").classes(own));
        assertEquals(List.of(), application.inspect().defects());
        try (Server server = start(application)) {
            assertEquals(418, status(server));
        }
    }

    private static String servlet(String type, String mapping) {
        return "<servlet><servlet-name>s</servlet-name><servlet-class>" + type + "</servlet-class></servlet>" + mapping;
    }

    private static final String MAPPED =
            "<servlet-mapping><servlet-name>s</servlet-name><url-pattern>*.txt</url-pattern></servlet-mapping>";

    /** Nor is what lies there sent as it is: the source of a program, or of a page with includes. */
    @ParameterizedTest
    @CsvSource({
        "org.apache.catalina.servlets.CGIServlet, mod_cgid",
        "org.apache.catalina.ssi.SSIServlet, mod_include",
        "org.apache.catalina.manager.ManagerServlet, remove this application"
    })
    void answers501ForAServletThatOnlyTomcatHasAndCheckSaysIt(String type, String advice) throws Exception {
        WebApplication application =
                application(new Archive().with("a.txt", "source").webXml(servlet(type, MAPPED)));
        assertEquals(List.of(), application.inspect().defects());
        String warning = application.inspect().warnings().get(0);
        assertTrue(warning.startsWith("servlet \"s\" is of class " + type) && warning.contains(advice), warning);
        try (Server server = start(application)) {
            assertEquals(501, status(server));
        }
    }

    @Test
    void mayDeclareOneThatIsMappedToNothing() throws Exception {
        WebApplication application = application(
                new Archive().with("a.txt", "a").webXml(servlet("org.apache.catalina.servlets.CGIServlet", "")));
        assertEquals(List.of(), application.inspect().warnings());
        try (Server server = start(application)) {
            assertEquals(200, status(server));
        }
    }

    @Test
    void doesNotStartWithAFilterForServerSideIncludes() throws Exception {
        WebApplication application = application(new Archive()
                .webXml("<filter><filter-name>f</filter-name><filter-class>org.apache.catalina.ssi.SSIFilter"
                        + "</filter-class></filter><filter-mapping><filter-name>f</filter-name>"
                        + "<url-pattern>*.shtml</url-pattern></filter-mapping>"));
        assertTrue(
                application.inspect().defects().get(0).contains("server-side includes are not evaluated"),
                application.inspect().defects().get(0));
    }
}
