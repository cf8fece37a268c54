package io.millrace.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SessionLinkTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/app/x                    | /app/x;jsessionid=1",
                "/app                      | /app;jsessionid=1",
                "/app/x?a=b#c              | /app/x;jsessionid=1?a=b#c",
                "/app/x#c?d                | /app/x;jsessionid=1#c?d",
                "/app2/x                   | /app2/x",
                "/                         | /",
                "x/y                       | x/y;jsessionid=1",
                "x?url=http://other/       | x;jsessionid=1?url=http://other/",
                "#top                      | #top",
                "?a=b                      | ?a=b",
                "''                        | http://Host:80/app/here;jsessionid=1",
                "http://host/app/x         | http://host/app/x;jsessionid=1",
                "HTTP://HOST:80/app/x      | HTTP://HOST:80/app/x;jsessionid=1",
                "http://host:81/app/x      | http://host:81/app/x",
                "https://host/app/x        | https://host/app/x",
                "http://host.evil/app/x    | http://host.evil/app/x",
                "http://host@evil/app/x    | http://host@evil/app/x",
                "http://host               | http://host",
                "//host/app/x              | //host/app/x;jsessionid=1",
                "//evil/app/x              | //evil/app/x",
                "mailto:somebody           | mailto:somebody",
                "javascript:x()            | javascript:x()",
                "/app/x;jsessionid=2       | /app/x;jsessionid=2",
            })
    void goesIntoLinksToTheApplicationAlone(String url, String expected) {
        SessionLink link = new SessionLink(";jsessionid=", "/app", "http://Host:80/app/here");
        assertEquals(expected, link.encode(url, "1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"/x | /x;jsessionid=1", "https://h:443/ | https://h:443/;jsessionid=1", "https://h | https://h"})
    void worksInTheRootContext(String url, String expected) {
        assertEquals(expected, new SessionLink(";jsessionid=", "", "https://h/x").encode(url, "1"));
    }
}
