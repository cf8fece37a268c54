package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import javax.servlet.DispatcherType;
import javax.servlet.FilterChain;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

@OnDefaultCarriers
class FilterTest {

    private final Carrier carrier;

    FilterTest(Carrier carrier) {
        this.carrier = carrier;
    }

    /** Writes its name before and after the rest. */
    private static final class Named extends HttpFilter {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws java.io.IOException, javax.servlet.ServletException {
            response.getWriter().print(getFilterName() + "(");
            chain.doFilter(request, response);
            response.getWriter().print(")");
        }
    }

    private static WebApplicationBuilder application() {
        return WebApplication.builder("")
                .servlet(
                        "target",
                        Serving.with((request, response) -> response.getWriter().print("*")),
                        "/target",
                        "/tree/*")
                .servlet(
                        "including",
                        Serving.with((request, response) ->
                                request.getRequestDispatcher("/target").include(request, response)),
                        "/including")
                .servlet(
                        "forwarding",
                        Serving.with((request, response) ->
                                request.getRequestDispatcher("/target").forward(request, response)),
                        "/forwarding");
    }

    @Test
    void getsAllRequestsByALoneAsterisk() throws Exception {
        try (Deployed app = Deployed.on(carrier, application().filter("all", new Named(), "*"))) {
            assertEquals("all(*)", app.body("/target"));
            assertEquals("all(*)", app.body("/tree/x.do"));
        }
    }

    /** It may be there to keep somebody out. */
    @Test
    void refusesAPatternThatNoPathCanMatch() {
        IllegalStateException refusal = assertThrows(
                IllegalStateException.class,
                () -> Deployed.on(carrier, application().filter("f", new Named(), "tree/*"))
                        .close());
        assertTrue(
                String.valueOf(refusal.getCause()).contains("filter f: \"tree/*\" is not a URL pattern"),
                String.valueOf(refusal.getCause()));
    }

    @Test
    void goesThroughPathsBeforeNames() throws Exception {
        try (Deployed app = Deployed.on(
                carrier,
                application()
                        .filter("name", new Named(), f -> f.addMappingForServletNames(null, true, "target"))
                        .filter("all", new Named(), "/*")
                        .filter("exact", new Named(), "/target")
                        .filter("extension", new Named(), "*.do")
                        .filter("prefix", new Named(), "/tree/*"))) {
            assertEquals("all(exact(name(*)))", app.body("/target"));
            assertEquals("all(prefix(name(*)))", app.body("/tree"));
            assertEquals("all(extension(prefix(name(*))))", app.body("/tree/x.do"));
            assertEquals("all(prefix(name(*)))", app.body("/tree/x"));
        }
    }

    @Test
    void distinguishesDispatches() throws Exception {
        try (Deployed app = Deployed.on(
                carrier,
                application()
                        .filter(
                                "included",
                                new Named(),
                                f -> f.addMappingForUrlPatterns(EnumSet.of(DispatcherType.INCLUDE), true, "/target"))
                        .filter(
                                "forwarded",
                                new Named(),
                                f -> f.addMappingForUrlPatterns(EnumSet.of(DispatcherType.FORWARD), true, "/target"))
                        .filter("requested", new Named(), "/target"))) {
            assertEquals("requested(*)", app.body("/target"));
            assertEquals("included(*)", app.body("/including"));
            assertEquals("forwarded(*)", app.body("/forwarding"));
        }
    }

    @Test
    void canBePutBeforeTheOthers() throws Exception {
        try (Deployed app = Deployed.on(
                carrier,
                application()
                        .filter("second", new Named(), "/*")
                        .filter("first", new Named(), f -> f.addMappingForUrlPatterns(null, false, "/*")))) {
            assertEquals("first(second(*))", app.body("/target"));
        }
    }

    @Test
    void mapsTheSameFilterOnce() throws Exception {
        try (Deployed app = Deployed.on(carrier, application().filter("f", new Named(), "/*", "/target", "/tree/*"))) {
            assertEquals("f(*)", app.body("/target"));
        }
    }
}
