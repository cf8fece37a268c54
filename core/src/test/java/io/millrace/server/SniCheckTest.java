package io.millrace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Asked;
import io.millrace.handler.Responses;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check of a request's host against the name that selected the TLS host … */
final class SniCheckTest {

    private static final NonBlockingHandler SITES = exchange -> Responses.text(exchange, 200, "site");

    private static final TlsOptions OPTIONS = TlsOptions.of(
            withKey(TlsHost.any()), withKey(TlsHost.named("secure.test")), withKey(TlsHost.named("*.wild.test")));

    /** The files are not read. */
    private static TlsHost withKey(TlsHost host) {
        return host.pem(Path.of("certificate.pem"), Path.of("key.pem"));
    }

    @ParameterizedTest
    @CsvSource({
        "secure.test, secure.test, 200",
        "secure.test, SECURE.test:443, 200",
        "secure.test., secure.test, 200",
        "secure.test, secure.test., 200",
        "a.wild.test, b.wild.test, 200",
        "open.test, other.test, 200",
        "open.test, secure.test, 421",
        "open.test, secure.test., 421",
        "secure.test, open.test, 421",
        "a.wild.test, a.a.wild.test, 421",
        ", secure.test, 421",
        "secure.test, , 421",
        ", , 200"
    })
    void rejectsRequestsForAnotherTlsHost(@Nullable String agreed, @Nullable String requested, int status) {
        assertEquals(
                status,
                Asked.get("/")
                        .host(requested)
                        .tlsServerName(agreed)
                        .of(SniCheck.wrap(SITES, OPTIONS))
                        .status());
    }
}
