package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OnDefaultCarriers
class MappingTest {

    private final Deployed app;

    MappingTest(Carrier carrier, @TempDir Path docBase) throws Exception {
        Files.writeString(docBase.resolve("hello.txt"), "static");
        Files.createDirectories(docBase.resolve("WEB-INF"));
        Files.writeString(docBase.resolve("WEB-INF/secret.txt"), "secret");
        Files.createDirectories(docBase.resolve("sub"));
        Files.writeString(docBase.resolve("sub/index.html"), "sub index");
        Files.writeString(docBase.resolve("page.jsp"), "<% secret %>");
        Serving paths = Serving.with((request, response) -> response.getWriter()
                .print(String.join(
                        "|",
                        request.getRequestURI(),
                        request.getContextPath(),
                        request.getServletPath(),
                        request.getPathInfo(),
                        request.getQueryString(),
                        request.getHttpServletMapping().getPattern())));
        app = Deployed.on(
                carrier,
                WebApplication.builder("/ctx")
                        .docBase(docBase)
                        .welcomeFiles("index.html", "index.do")
                        .servlet("paths", paths, "/exact", "/tree/*", "*.do"));
    }

    @AfterEach
    void undeploy() {
        app.close();
    }

    @Test
    void dividesThePath() throws Exception {
        assertEquals("/ctx/exact|/ctx|/exact|null|null|/exact", app.body("/ctx/exact"));
        assertEquals("/ctx/tree/a/b|/ctx|/tree|/a/b|q=1|/tree/*", app.body("/ctx/tree/a/b?q=1"));
        assertEquals("/ctx/x/y.do|/ctx|/x/y.do|null|null|*.do", app.body("/ctx/x/y.do"));
    }

    @Test
    void keepsParametersInTheUriAlone() throws Exception {
        assertEquals("/ctx/tree;a=1/x%20y;b=2|/ctx|/tree|/x y|null|/tree/*", app.body("/ctx/tree;a=1/x%20y;b=2"));
    }

    @Test
    void leadsIntoTheContext() throws Exception {
        var response = app.get("/ctx?a=b");
        assertEquals(302, response.statusCode());
        assertEquals("/ctx/?a=b", response.headers().firstValue("Location").orElse(""));
    }

    @Test
    void servesFilesByDefault() throws Exception {
        assertEquals("static", app.body("/ctx/hello.txt"));
        assertEquals(404, app.get("/ctx/nothing").statusCode());
    }

    @Test
    void hidesWebInf() throws Exception {
        assertEquals(404, app.get("/ctx/WEB-INF/secret.txt").statusCode());
        assertEquals(404, app.get("/ctx/web-inf/secret.txt").statusCode());
        assertEquals(404, app.get("/ctx/x/../WEB-INF/secret.txt").statusCode());
    }

    @Test
    void neverSendsTheSourceOfAJspPage() throws Exception {
        var response = app.get("/ctx/page.jsp");
        assertEquals(500, response.statusCode());
        assertTrue(response.body().contains("no JSP engine"));
    }

    @Test
    void findsWelcomeFiles() throws Exception {
        assertEquals("sub index", app.body("/ctx/sub/"));
        assertEquals("/ctx/|/ctx|/index.do|null|null|*.do", app.body("/ctx/"));
    }

    @Test
    void leadsIntoADirectory() throws Exception {
        var response = app.get("/ctx/sub?a=b");
        assertEquals(302, response.statusCode());
        assertTrue(response.headers().firstValue("Location").orElse("").endsWith("/ctx/sub/?a=b"));
    }
}
