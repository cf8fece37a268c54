package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.forwarded.RemoteIp;
import io.millrace.handler.AddressFilter;
import io.millrace.handler.AddressRule;
import io.millrace.net.AddressSet;
import io.millrace.servlet.filter.RemoteAddrFilter;
import io.millrace.servlet.filter.RemoteCidrFilter;
import io.millrace.servlet.filter.RemoteHostFilter;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Before an application, addresses … */
final class AddressFiltersTest {

    private static final AddressSet LOOPBACK = AddressSet.parse("127.0.0.0/8,::1");
    private static final AddressSet NOBODY = AddressSet.parse("");

    private static WebApplicationBuilder application(Path files) {
        return WebApplication.builder("/shop")
                .servlet(
                        "dynamic",
                        Serving.with((request, response) -> response.getWriter().print("in")),
                        "/dynamic")
                .docBase(files);
    }

    @Test
    void areFilteredForServletsAndFilesAlike(@TempDir Path files) throws Exception {
        Files.writeString(files.resolve("file.txt"), "in");
        AddressFilter out =
                AddressFilter.of(AddressRule.ranges(NOBODY, LOOPBACK)).withDenyStatus(404);
        AddressFilter in = AddressFilter.of(AddressRule.ranges(LOOPBACK, NOBODY));
        for (String path : List.of("/shop/dynamic", "/shop/file.txt", "/shop/", "/shop", "/shop/none")) {
            try (Deployed app = Deployed.of(application(files).build().before(out::wrap))) {
                HttpResponse<String> denied = app.get(path);
                assertEquals(404, denied.statusCode(), path);
                assertFalse(denied.headers().firstValue("Location").isPresent(), path);
            }
        }
        try (Deployed app = Deployed.of(application(files).build().before(in::wrap))) {
            assertEquals("in", app.get("/shop/dynamic").body());
            assertEquals("in", app.get("/shop/file.txt").body());
        }
    }

    @Test
    void areThoseThatAFrontEndPresents(@TempDir Path files) throws Exception {
        AddressFilter clients = AddressFilter.of(AddressRule.ranges(AddressSet.parse("2001:db8::/32"), NOBODY));
        try (Deployed app = Deployed.of(application(files)
                .build()
                .before(RemoteIp.trusting(LOOPBACK)::wrap)
                .before(clients::wrap))) {
            assertEquals(403, app.get("/shop/dynamic").statusCode());
            assertEquals(
                    200,
                    app.send(app.request("/shop/dynamic").header("X-Forwarded-For", "2001:db8::7"))
                            .statusCode());
            assertEquals(
                    403,
                    app.send(app.request("/shop/dynamic").header("X-Forwarded-For", "2001:db9::7"))
                            .statusCode());
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            addr, allow, 127\\.0\\.0\\.1,       200
            addr, allow, 127\\.0\\.0,           403
            addr, deny,  127\\..*,              403
            addr, deny,  10\\..*,               200
            addr, denyStatus, 404,              404
            cidr, allow, 127.0.0.0/8,           200
            cidr, allow, 10.0.0.0/8,            403
            cidr, deny,  ::ffff:127.0.0.0/104,  403
            host, allow, 127\\.0\\.0\\.1,       200
            host, deny,  127\\.0\\.0\\.1,       403
            """)
    void areFilteredByTheFilters(String kind, String parameter, String value, int status, @TempDir Path files)
            throws Exception {
        try (Deployed app = Deployed.of(filtered(kind, parameter, value, files))) {
            assertEquals(status, app.get("/shop/dynamic").statusCode());
            if (status != 200) {
                assertEquals(status, app.get("/shop/file.txt").statusCode());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            addr, allow,      10(,       the filter's init-param allow is not a regular expression
            cidr, deny,       10.0.0/8,  the filter's init-param deny: "10.0.0/8" is not an address
            cidr, deny,       10.0.0.0/255.0.0.0, the filter's init-param deny: "10.0.0.0/255.0.0.0" is not an address range
            host, alow,       x,         the filter has no init-param alow
            addr, denyStatus, 200,       the filter's init-param denyStatus is "200"
            """)
    void keepAnApplicationFromStartingIfTheyAreWrong(
            String kind, String parameter, String value, String reason, @TempDir Path files) {
        IllegalStateException failure = assertThrows(
                IllegalStateException.class,
                () -> Deployed.of(filtered(kind, parameter, value, files)).close());
        Throwable cause = failure;
        while (cause.getCause() != null && !String.valueOf(cause.getMessage()).contains("init-param")) {
            cause = cause.getCause();
        }
        assertNotNull(cause.getMessage());
        assertTrue(cause.getMessage().contains(reason), cause.getMessage());
    }

    private static WebApplicationBuilder filtered(String kind, String parameter, String value, Path files)
            throws Exception {
        Files.writeString(files.resolve("file.txt"), "in");
        Filter filter = switch (kind) {
            case "addr" -> new RemoteAddrFilter();
            case "cidr" -> new RemoteCidrFilter();
            default -> new RemoteHostFilter();
        };
        return application(files).filter("addresses", filter, registration -> {
            registration.setInitParameter(parameter, value);
            registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
        });
    }
}
