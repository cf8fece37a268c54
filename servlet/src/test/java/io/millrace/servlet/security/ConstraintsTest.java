package io.millrace.servlet.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.fuzz.Growth;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import io.millrace.servlet.model.WebAppModel;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Constraints are written {@code pattern methods roles transport}: methods {@code ALL}, {@code GET,POST} or {@code
 * -GET,POST} (omitted); roles {@code open} (no auth-constraint), {@code none} (an empty one) or names; transport optional.
 */
final class ConstraintsTest {

    private static final String TABLE = """
            /acme/wholesale/*  -GET,POST       none
            /acme/wholesale/*  GET             SALESCLERK
            /acme/wholesale/*  POST            CONTRACTOR       TLS
            /acme/*            -GET,POST       none
            /acme/retail/*     -GET,POST       none
            /acme/retail/*     GET             CONTRACTOR
            /acme/retail/*     POST            CONTRACTOR
            /acme/retail/*     GET             HOMEOWNER
            /acme/retail/*     POST            HOMEOWNER
            /exact             ALL             A
            /exact             GET             open
            /admin/*           ALL             admin
            /admin/public/*    ALL             open
            *.secret           ALL             spy
            /any/*             ALL             **
            /all/*             ALL             *
            /tls/*             ALL             open             TLS
            /tls/*             POST            open
            /mixed/*           GET             a,b
            /mixed/*           ALL             c                TLS
            """;

    @ParameterizedTest
    @CsvSource({
        // the example of Servlet 3.1, 13.8.2
        "GET, /acme/wholesale/x, ROLES [SALESCLERK]",
        "POST, /acme/wholesale/x, ROLES [CONTRACTOR] TLS",
        "PUT, /acme/wholesale/x, NOBODY []",
        "GET, /acme/retail, 'ROLES [CONTRACTOR, HOMEOWNER]'",
        "POST, /acme/retail/, 'ROLES [CONTRACTOR, HOMEOWNER]'",
        "DELETE, /acme/retail/x/y, NOBODY []",
        "GET, /acme/x, EVERYBODY []",
        "get, /acme/x, NOBODY []",
        // the best match alone counts
        "GET, /exact, EVERYBODY []",
        "POST, /exact, ROLES [A]",
        "GET, /exact/, EVERYBODY []",
        "GET, /exact/x, EVERYBODY []",
        "GET, /admin, ROLES [admin]",
        "GET, /admin/, ROLES [admin]",
        "GET, /admin/a/b/c, ROLES [admin]",
        "GET, /administrator, EVERYBODY []",
        "GET, /admin/public, EVERYBODY []",
        "GET, /admin/publicity, ROLES [admin]",
        "GET, /admin/x.secret, ROLES [admin]",
        "GET, /x.secret, ROLES [spy]",
        "GET, /x/y.secret, ROLES [spy]",
        "GET, /x.secret/y, EVERYBODY []",
        "GET, /, EVERYBODY []",
        "GET, '', EVERYBODY []",
        // wildcards
        "GET, /any/x, AUTHENTICATED []",
        "GET, /all/x, 'ROLES [*, one, two]'",
        // transport
        "GET, /tls/x, EVERYBODY [] TLS",
        "POST, /tls/x, EVERYBODY []",
        "GET, /mixed/x, 'ROLES [a, b, c]'",
        "PUT, /mixed/x, ROLES [c] TLS",
    })
    void combines(String method, String path, String expected) {
        assertEquals(expected, text(new Constraints(model(TABLE)).demand(method, path)));
    }

    @ParameterizedTest
    @CsvSource({"GET, /x, ROLES [r]", "POST, /x, NOBODY []", "POST, /elsewhere, EVERYBODY []"})
    void deniesUncoveredMethodsIfTold(String method, String path, String expected) {
        WebAppModel model = model("/x GET r");
        model.denyUncoveredHttpMethods = true;
        assertEquals(expected, text(new Constraints(model).demand(method, path)));
    }

    @ParameterizedTest
    @CsvSource({
        "/, /x/y, ROLES [r]",
        "/, '', ROLES [r]",
        "/*, '', ROLES [r]",
        "/*, /x.y, ROLES [r]",
        "'', /, ROLES [r]",
        "'', '', ROLES [r]",
        "'', /x, EVERYBODY []"
    })
    void matchesTheWholeApplication(String pattern, String path, String expected) {
        assertEquals(expected, text(new Constraints(model(pattern + " ALL r")).demand("GET", path)));
    }

    @Test
    void takesARoleNamedLikeTheWildcardForARole() {
        WebAppModel model = model("/x ALL **");
        model.securityRoles.add("**");
        assertEquals("ROLES [**]", text(new Constraints(model).demand("GET", "/x")));
    }

    @Test
    void namesTheMethodsLeftOpen() {
        List<String> gaps = new ArrayList<>();
        String table = "/a GET r\n/b -TRACE r\n/c ALL r\n/c GET r\n/d GET r\n/d -GET r\n/e GET r\n/e POST r";
        new Constraints(model(table)).forEachGap((pattern, methods) -> gaps.add(pattern + methods));
        gaps.sort(null);
        assertEquals(List.of("/a[all but GET]", "/b[TRACE]", "/e[all but GET POST]"), gaps);
    }

    private static String text(RequiredAccess demand) {
        return demand.access() + " " + new TreeSet<>(demand.roles()) + (demand.encrypted() ? " TLS" : "");
    }

    static WebAppModel model(String table) {
        WebAppModel model = new WebAppModel();
        model.securityRoles.addAll(List.of("one", "two"));
        table.lines().forEach(line -> {
            List<String> words = List.of(line.trim().split(" +", -1));
            int at = words.size() > 2 ? 0 : -1; // the empty pattern leaves no word
            String pattern = at == 0 ? words.get(0) : "";
            String methods = words.get(at + 1);
            String roles = words.get(at + 2);
            List<String> named = methods.equals("ALL")
                    ? List.of()
                    : List.of(methods.replace("-", "").split(",", -1));
            boolean omitted = methods.startsWith("-");
            model.securityConstraints.add(new SecurityConstraintModel(
                    List.of(new Resources(List.of(pattern), omitted ? List.of() : named, omitted ? named : List.of())),
                    roles.equals("open") ? null : roles.equals("none") ? List.of() : List.of(roles.split(",", -1)),
                    words.size() > at + 3));
        });
        return model;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", ".", "/."})
    void matchesInLinearTime(String piece) {
        Constraints constraints = new Constraints(model(TABLE));
        Growth.assertLinear(
                50_000 / piece.length(), count -> "/x" + piece.repeat(count), path -> constraints.demand("GET", path));
    }
}
