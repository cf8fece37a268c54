package io.millrace.http1;

import io.millrace.http.RequestHead;
import io.millrace.protocol.RequestFault;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Parsing a request head in a direct buffer: a minimal one, a browser's, and one that is rejected. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RequestHeadParserBenchmark {

    private final Http1Rules rules = new Http1Rules(Settings.DEFAULTS, "http");
    private final ByteBuffer shortest = direct("GET /hello HTTP/1.1\r\nHost: localhost:8080\r\n\r\n");
    private final ByteBuffer browser = direct("""
            GET /shop/basket?item=17&count=2 HTTP/1.1
            Host: www.example.org
            User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
            Accept-Language: en-GB,en;q=0.5
            Accept-Encoding: gzip, deflate, br, zstd
            Referer: https://www.example.org/shop/
            Connection: keep-alive
            Cookie: JSESSIONID=2B1E9C6F0A7D4C3B8E5F6A7B8C9D0E1F; theme=dark; lang=en
            Upgrade-Insecure-Requests: 1
            Sec-Fetch-Dest: document
            Sec-Fetch-Mode: navigate
            Sec-Fetch-Site: same-origin
            Priority: u=0, i

            """.replace("\n", "\r\n"));
    private final ByteBuffer refused = direct("GET /hello HTTP/1.1\r\nHost : localhost:8080\r\n\r\n");

    @Benchmark
    public RequestHead shortest() {
        return parse(shortest);
    }

    @Benchmark
    public RequestHead browser() {
        return parse(browser);
    }

    @Benchmark
    public RequestFault refused() {
        RequestHeadParser parser = new RequestHeadParser(rules);
        if (parser.parse(refused.duplicate()) != Parsing.REFUSED) {
            throw new IllegalStateException("a space before the colon was accepted");
        }
        return parser.refusal();
    }

    private RequestHead parse(ByteBuffer input) {
        RequestHeadParser parser = new RequestHeadParser(rules);
        if (parser.parse(input.duplicate()) != Parsing.COMPLETE) {
            throw new IllegalStateException("refused: " + parser.refusal());
        }
        return parser.head();
    }

    private static ByteBuffer direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }
}
