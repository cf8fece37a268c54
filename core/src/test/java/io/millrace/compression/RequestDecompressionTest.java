package io.millrace.compression;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Asked;
import io.millrace.handler.Responses;
import io.millrace.http.RequestHead;
import org.junit.jupiter.api.Test;

/** A request whose body is decompressed … */
final class RequestDecompressionTest {

    private static final NonBlockingHandler HEAD = exchange -> {
        RequestHead head = exchange.request();
        Responses.text(
                exchange,
                200,
                head.contentLength() + " " + head.headers().get("Content-Length") + " "
                        + head.headers().get("Content-Encoding") + " "
                        + head.headers().get("Transfer-Encoding"));
    };

    /** A proxy would forward it without its body if it had neither. */
    @Test
    void hasABodyOfUnknownLength() {
        assertEquals(
                "-1 null null chunked",
                Asked.with("POST", "/")
                        .header("Content-Encoding", "gzip")
                        .contentLength(40)
                        .of(RequestDecompression.upTo(1_000).wrap(HEAD))
                        .body());
    }
}
