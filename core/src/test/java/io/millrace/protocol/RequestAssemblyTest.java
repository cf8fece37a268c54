package io.millrace.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.http.EncodedSlash;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** It … */
class RequestAssemblyTest {

    private static final RequestRules STRICT = rules(false, false);

    @Test
    void makesAHeadOfPseudoHeaderFieldsAndOthers() {
        RequestAssembly request = with(STRICT, "accept: */*");
        target(request, "POST", "/a/../b%20c", "q=1", "example.com:8080");
        assertNull(request.checkFields());
        assertNull(request.checkTarget());
        RequestHead head = request.head("POST", HttpVersion.HTTP_2, "https", request.announcedLength());
        assertEquals("/b c", head.path().decoded());
        assertEquals("/a/../b%20c?q=1", head.target());
        assertEquals("example.com:8080", head.authority());
        assertEquals("*/*", head.headers().get("Accept"));
        assertEquals(-1, head.contentLength());
    }

    @Test
    void takesTheHostWhereTheTargetNamesNone() {
        RequestAssembly request = with(STRICT, "HOST: h; Content-Length: 7");
        target(request, "PUT", "/", null, null);
        assertNull(request.checkFields());
        assertNull(request.checkTarget());
        RequestHead head = request.head("PUT", HttpVersion.HTTP_1_1, "http", request.announcedLength());
        assertEquals("h", head.authority());
        assertEquals(7, head.contentLength());
    }

    @Test
    void takesTheTargetsAuthorityBeforeAnotherHostIfTold() {
        RequestAssembly request = with(rules(true, false), "Host: other");
        target(request, "GET", "/", null, "named");
        assertNull(request.checkTarget());
        assertEquals(
                "named", request.head("GET", HttpVersion.HTTP_1_1, "http", 0).authority());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a b: c                                    | BAD_FIELD",
                ": c                                       | BAD_FIELD",
                "a: \u0001b                                | BAD_FIELD",
                "a: 1; b: 2; c: 3; d: 4; e: 5              | TOO_MANY_FIELDS",
                "Content-Length: -1                        | BAD_LENGTH",
                "Content-Length: 1x                        | BAD_LENGTH",
                "Content-Length:                           | BAD_LENGTH",
                "Content-Length: 1000000000000000000       | HUGE_LENGTH",
                "Content-Length: 1; Content-Length: 1      | DUPLICATE_LENGTH",
                "Content-Length: 1; Transfer-Encoding: x   | LENGTH_AND_CODING",
                "Transfer-Encoding: x; Content-Length: 1   | LENGTH_AND_CODING",
            })
    void refusesFields(String fields, RequestFault fault) {
        RequestAssembly request = with(STRICT, fields);
        assertEquals(fault, request.checkFields());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "Host: h; Host: h | GET     | /     | -    | DUPLICATE_HOST",
                "Host: a b        | GET     | /     | -    | BAD_HOST",
                "a: b             | GET     | /     | u@h  | BAD_HOST",
                "Host: h          | GET     | /     | i    | HOST_MISMATCH",
                "Host: h          | GET     | /%2f  | -    | BAD_PATH",
                "Host: h          | GET     | /../a | -    | BAD_PATH",
                "Host: h          | GET     | *     | -    | BAD_PATH",
                "Host: h          | GET     | a     | H    | BAD_PATH",
                "Host: h          | OPTIONS | *     | H    | -",
                "Host:            | GET     | /     | -    | -",
            })
    void refusesHostsAndPaths(
            String fields, String method, String path, @Nullable String authority, @Nullable RequestFault fault) {
        RequestAssembly request = with(STRICT, fields);
        target(request, method, path, null, authority);
        assertEquals(fault, request.checkTarget());
    }

    @Test
    void allowsWhatAFrontEndRepeatsUnlessItDiffers() {
        RequestRules lenient = rules(false, true);
        RequestAssembly same = with(lenient, "Host: h; Host: h; Content-Length: 3; Content-Length: 3");
        target(same, "GET", "/", null, null);
        assertNull(same.checkFields());
        assertNull(same.checkTarget());
        assertEquals(3, same.announcedLength());
        RequestAssembly other = with(lenient, "Host: h; Host: i; Content-Length: 3; Content-Length: 03");
        target(other, "GET", "/", null, null);
        assertEquals(RequestFault.DUPLICATE_LENGTH, other.checkFields());
        assertEquals(RequestFault.DUPLICATE_HOST, other.checkTarget());
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "GET, -, -",
                "M-SEARCH, a=b/?\u00e4, -",
                "-, -, BAD_METHOD",
                "'', -, BAD_METHOD",
                "GE T, -, BAD_METHOD",
                "GET, a b, BAD_QUERY",
                "GET, a\u007f, BAD_QUERY",
                "GET, a\u0000b, BAD_QUERY",
            })
    void refusesMethodsAndQueries(@Nullable String method, @Nullable String query, @Nullable RequestFault fault) {
        assertEquals(fault, RequestRules.check(method, query));
    }

    @Test
    void makesNoHeadOfATargetThatWasRefused() {
        RequestAssembly request = with(STRICT, "Host: h");
        assertThrows(IllegalStateException.class, () -> request.head("GET", HttpVersion.HTTP_2, "http", 0));
        target(request, "GET", "/%zz", null, null);
        assertThrows(IllegalStateException.class, () -> request.head("GET", HttpVersion.HTTP_2, "http", 0));
    }

    private static RequestRules rules(boolean allowHostMismatch, boolean allowRepeats) {
        return new RequestRules(4, EncodedSlash.REJECT, StandardCharsets.UTF_8, allowHostMismatch, allowRepeats);
    }

    private static RequestAssembly with(RequestRules rules, String fields) {
        RequestAssembly request = new RequestAssembly(rules);
        for (String field : fields.split("; ", -1)) {
            int colon = field.indexOf(':');
            request.field(field.substring(0, colon), field.substring(Math.min(colon + 2, field.length())));
        }
        return request;
    }

    private static void target(
            RequestAssembly request, String method, String raw, @Nullable String query, @Nullable String authority) {
        RequestPath path = STRICT.path(raw, method);
        request.target(query == null ? raw : raw + '?' + query, path, query, authority);
    }
}
