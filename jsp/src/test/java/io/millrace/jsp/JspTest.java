package io.millrace.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.WebApplication;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application with the JSP engine … */
@NullUnmarked
final class JspTest {

    private static final String FAILING = "one\ntwo\n<% Object o = null; o.toString(); %>\n";

    @TempDir
    private Path directory;

    private Site site;

    @BeforeEach
    void makeRoot() throws IOException {
        site = new Site(Files.createDirectory(directory.resolve("app")));
    }

    @AfterEach
    void stop() {
        site.close();
    }

    @Test
    void runsAPage() throws Exception {
        site.with("sum.jsp", "<%= 2 + 3 %> ${param.name}").start();
        HttpResponse<String> answer = site.get("/sum.jsp?name=ada");
        assertEquals(200, answer.statusCode());
        assertEquals("5 ada", answer.body());
        assertEquals(
                "text/html;charset=ISO-8859-1",
                answer.headers().firstValue("Content-Type").orElse(""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            17 | point instanceof Point known ? known.x() : 0
            21 | switch (point) { case Point(int x, int y) -> x; default -> 0; }
            25 | switch (point) { case Point(int x, _) -> x; default -> 0; }
            """)
    void runsAPageWithTheLanguageOfTheJavaThatIsSet(String version, String expression) throws Exception {
        site.webXml("""
                <servlet><servlet-name>jsp</servlet-name>
                <init-param><param-name>compilerSourceVM</param-name><param-value>%1$s</param-value></init-param>
                <init-param><param-name>compilerTargetVM</param-name><param-value>%1$s</param-value></init-param>
                </servlet>
                """.formatted(version))
                .with("record.jsp", """
                        <%! record Point(int x, int y) {} %><%
                        Object point = new Point(1, 2);
                        String text = \"""
                                a text block\""";
                        %><%= text + " of " + (""" + expression + ") %>")
                .start();
        assertEquals("a text block of 1", site.body("/record.jsp").strip());
    }

    @Test
    void keepsASession() throws Exception {
        site.with("page.jsp", "${pageContext.session['new']}").start();
        HttpResponse<String> answer = site.get("/page.jsp");
        assertEquals("true", answer.body());
        assertTrue(answer.headers().firstValue("Set-Cookie").orElse("").startsWith("JSESSIONID="));
    }

    @Test
    void runsADocument() throws Exception {
        site.with("doc.jspx", """
                <jsp:root xmlns:jsp="http://java.sun.com/JSP/Page" version="2.1">
                <jsp:directive.page contentType="text/xml;charset=UTF-8"/><sum><jsp:expression>2+3</jsp:expression></sum>
                </jsp:root>
                """).start();
        HttpResponse<String> answer = site.get("/doc.jspx");
        assertTrue(answer.body().contains("<sum>5</sum>"), answer.body());
        assertEquals(
                "text/xml;charset=UTF-8",
                answer.headers().firstValue("Content-Type").orElse(""));
    }

    @Test
    void includesAndForwards() throws Exception {
        site.with("outer.jsp", "[<jsp:include page='inner.jsp'><jsp:param name='x' value='a b'/></jsp:include>]")
                .with("inner.jsp", "inner ${param.x}")
                .with("static.jsp", "<%@ include file='inner.jsp' %>")
                .with("forward.jsp", "lost <jsp:forward page='/WEB-INF/hidden.jsp'/>")
                .with("WEB-INF/hidden.jsp", "hidden ${requestScope['javax.servlet.forward.servlet_path']}")
                .start();
        assertEquals("[inner a b]", site.body("/outer.jsp"));
        assertEquals("inner y", site.body("/static.jsp?x=y"));
        assertEquals("hidden /forward.jsp", site.body("/forward.jsp"));
    }

    @Test
    void servesAPageAsWelcomeFile() throws Exception {
        site.with("index.jsp", "welcome").with("sub/index.jsp", "below").start();
        assertEquals("welcome", site.body("/"));
        assertEquals("below", site.body("/sub/"));
    }

    @Test
    void runsTheTagLibraryThatTheApplicationBrings() throws Exception {
        site.withJstl().with("loop.jsp", """
                <%@ taglib prefix="c" uri="http://java.sun.com/jsp/jstl/core" %>
                <%@ taglib prefix="fn" uri="http://java.sun.com/jsp/jstl/functions" %>
                <c:forEach var="i" begin="1" end="3">${i * i};</c:forEach>
                <c:if test="${fn:length('four') == 4}"><c:out value="<b>"/></c:if>
                """).start();
        assertEquals("1;4;9;&lt;b&gt;", site.body("/loop.jsp").replaceAll("\\s", ""));
    }

    @Test
    void runsTagFiles() throws Exception {
        site.with("WEB-INF/tags/box.tag", "<%@ attribute name='title' required='true' %>[${title}:<jsp:doBody/>]")
                .with("page.jsp", "<%@ taglib prefix='t' tagdir='/WEB-INF/tags' %><t:box title='x'>body</t:box>")
                .start();
        assertEquals("[x:body]", site.body("/page.jsp"));
    }

    @Test
    void findsATagLibraryBelowWebInf() throws Exception {
        site.with("WEB-INF/tags/hi.tag", "hi")
                .with("WEB-INF/tlds/my.tld", """
                        <taglib xmlns="http://java.sun.com/xml/ns/javaee" version="2.1">
                        <tlib-version>1.0</tlib-version><short-name>my</short-name><uri>urn:my</uri>
                        <tag-file><name>hi</name><path>/WEB-INF/tags/hi.tag</path></tag-file>
                        </taglib>""")
                .with("page.jsp", "<%@ taglib prefix='my' uri='urn:my' %><my:hi/>")
                .start();
        assertEquals("hi", site.body("/page.jsp"));
    }

    @Test
    void takesTheLocationOfATagLibraryFromTheDescriptor() throws Exception {
        site.with("WEB-INF/tags/hi.tag", "hi")
                .with("WEB-INF/elsewhere.xml", """
                <taglib xmlns="http://java.sun.com/xml/ns/javaee" version="2.1">
                <tlib-version>1.0</tlib-version><short-name>my</short-name>
                <tag-file><name>hi</name><path>/WEB-INF/tags/hi.tag</path></tag-file>
                </taglib>""")
                .webXml("""
                <jsp-config><taglib><taglib-uri>urn:mapped</taglib-uri>
                <taglib-location>/WEB-INF/elsewhere.xml</taglib-location></taglib></jsp-config>
                """)
                .with("page.jsp", "<%@ taglib prefix='my' uri='urn:mapped' %><my:hi/>")
                .start();
        assertEquals("hi", site.body("/page.jsp"));
    }

    @Test
    void appliesPropertyGroups() throws Exception {
        site.webXml("""
                <jsp-config><jsp-property-group>
                <url-pattern>*.html</url-pattern><page-encoding>UTF-8</page-encoding>
                <scripting-invalid>true</scripting-invalid>
                <include-prelude>/WEB-INF/head.jspf</include-prelude><include-coda>/WEB-INF/foot.jspf</include-coda>
                </jsp-property-group></jsp-config>
                """)
                .with("WEB-INF/head.jspf", "head ")
                .with("WEB-INF/foot.jspf", " foot")
                .with("page.html", "${1+1} ä")
                .with("bad.html", "<% out.print(1); %>")
                .start();
        assertEquals("head 2 ä foot", site.body("/page.html"));
        assertEquals(500, site.get("/bad.html").statusCode());
    }

    @Test
    void servesAPageThatIsDeclaredAsAServlet() throws Exception {
        site.webXml("""
                <servlet><servlet-name>front</servlet-name><jsp-file>/WEB-INF/front.jsp</jsp-file>
                <init-param><param-name>colour</param-name><param-value>slate</param-value></init-param>
                <load-on-startup>1</load-on-startup></servlet>
                <servlet-mapping><servlet-name>front</servlet-name><url-pattern>/front/*</url-pattern></servlet-mapping>
                """)
                .with("WEB-INF/front.jsp", "<%= config.getInitParameter(\"colour\") + request.getPathInfo() %>")
                .start();
        assertEquals("slate/x", site.body("/front/x"));
    }

    /** Servlet 3.1, 14.4: such a page is run by the engine, whatever requests for pages are mapped to. */
    @Test
    void servesSuchAPageWhereTheApplicationHasMappedPagesToAServletOfItsOwn() throws Exception {
        site.withClass(GreetingServlet.class)
                .webXml("""
                <servlet><servlet-name>own</servlet-name>
                <servlet-class>io.millrace.jsp.GreetingServlet</servlet-class></servlet>
                <servlet-mapping><servlet-name>own</servlet-name><url-pattern>*.jsp</url-pattern></servlet-mapping>
                <servlet><servlet-name>front</servlet-name><jsp-file>/WEB-INF/front.jsp</jsp-file></servlet>
                <servlet-mapping><servlet-name>front</servlet-name><url-pattern>/front</url-pattern></servlet-mapping>
                <jsp-config><jsp-property-group><url-pattern>*.html</url-pattern>
                <page-encoding>UTF-8</page-encoding></jsp-property-group></jsp-config>
                """)
                .with("WEB-INF/front.jsp", "<%= 1 + 1 %>")
                .with("page.html", "<%= 2 + 2 %>")
                .start();
        assertEquals("2", site.body("/front"));
        assertEquals("4", site.body("/page.html"));
        assertEquals("greeting", site.body("/any.jsp"));
    }

    @Test
    void lendsItsParametersToTheEngine() throws Exception {
        site.webXml("""
                <servlet><servlet-name>jsp</servlet-name>
                <init-param><param-name>trimSpaces</param-name><param-value>true</param-value></init-param></servlet>
                <servlet-mapping><servlet-name>jsp</servlet-name><url-pattern>*.page</url-pattern></servlet-mapping>
                """)
                .with("a.page", "<b>x</b>\n   <% int i = 1; %>   \n<b><%= i %></b>")
                .with("b.jsp", "b")
                .start();
        assertEquals("<b>x</b><b>1</b>", site.body("/a.page").replaceAll("\\s+<", "<"));
        assertEquals("b", site.body("/b.jsp"));
    }

    @Test
    void translatesAChangedPageAnew() throws Exception {
        site.webXml("""
                <servlet><servlet-name>jsp</servlet-name><init-param>
                <param-name>modificationTestInterval</param-name><param-value>0</param-value></init-param></servlet>
                """).with("page.jsp", "before").start();
        assertEquals("before", site.body("/page.jsp"));
        site.with("page.jsp", "after");
        Files.setLastModifiedTime(
                site.root().resolve("page.jsp"), FileTime.from(Instant.now().plusSeconds(60)));
        assertEquals("after", site.body("/page.jsp"));
    }

    @Test
    void keepsItsClassesInTheWorkDirectory() throws Exception {
        site.with("page.jsp", "x").start();
        site.body("/page.jsp");
        try (Stream<Path> files = Files.walk(site.work())) {
            assertTrue(files.anyMatch(file -> file.endsWith("org/apache/jsp/page_jsp.class")));
        }
        try (Stream<Path> files = Files.walk(site.root())) {
            assertFalse(files.anyMatch(file -> file.toString().endsWith(".class")));
        }
    }

    @Test
    void showsNothingOfAFailureToTheClient() throws Exception {
        site.with("page.jsp", FAILING).start();
        HttpResponse<String> answer = site.get("/page.jsp");
        assertEquals(500, answer.statusCode());
        assertFalse(answer.body().contains("toString"), answer.body());
    }

    @Test
    void namesThePageAndTheLineThatFailedToTheApplication() throws Exception {
        site.webXml("<error-page><location>/failed.jsp</location></error-page>")
                .with("failed.jsp", "<%= request.getAttribute(\"javax.servlet.error.message\") %>")
                .with("page.jsp", FAILING)
                .start();
        String message = site.get("/page.jsp").body();
        assertTrue(message.contains("[/page.jsp] at line [3]"), message);
    }

    @Test
    void showsAPagesOwnErrorPage() throws Exception {
        site.with(
                        "page.jsp",
                        "<%@ page errorPage='/error.jsp' %><% if (true) throw new IllegalStateException(\"oh\"); %>")
                .with("error.jsp", "<%@ page isErrorPage='true' %>sorry: ${pageContext.exception.message}")
                .start();
        HttpResponse<String> answer = site.get("/page.jsp");
        assertEquals(500, answer.statusCode());
        assertEquals("sorry: oh", answer.body().strip());
    }

    @Test
    void showsAPageForAStatus() throws Exception {
        site.webXml("<error-page><error-code>404</error-code><location>/missing.jsp</location></error-page>")
                .with(
                        "missing.jsp",
                        "<%@ page isErrorPage='true' %>no ${pageContext.errorData.requestURI}"
                                + " ${pageContext.errorData.statusCode}")
                .start();
        HttpResponse<String> answer = site.get("/there");
        assertEquals(404, answer.statusCode());
        assertEquals("no /there 404", answer.body().strip());
    }

    @Test
    void answers404ForAPageThatIsNotThere() throws Exception {
        site.start();
        assertEquals(404, site.get("/missing.jsp").statusCode());
    }

    @Test
    void runsPagesOfAnApplicationInCode() throws Exception {
        site.with("page.jsp", "code ${1 + 1}");
        site.start(WebApplication.builder("")
                .docBase(site.root())
                .configure(JspInitializer::enable)
                .build());
        assertEquals("code 2", site.body("/page.jsp"));
    }

    /** Servlet 4.0, ServletContext.addJspFile. */
    @Test
    void servesAPageThatIsAddedInCode() throws Exception {
        site.with("page.jsp", "<%= config.getServletName() %> ${1 + 1}");
        site.start(WebApplication.builder("")
                .docBase(site.root())
                .configure(JspInitializer::enable)
                .configure(context -> context.addJspFile("added", "/page.jsp").addMapping("/added"))
                .build());
        assertEquals("added 2", site.body("/added"));
    }
}
