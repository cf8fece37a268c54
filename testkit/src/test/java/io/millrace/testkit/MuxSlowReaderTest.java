package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.ResponseHead;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses whose peer opens flow-control windows too slowly, or can open none any more. */
@Timeout(60)
final class MuxSlowReaderTest {

    private static final int WINDOW = 65_535;
    private static final Settings PATIENT =
            Settings.DEFAULTS.with(MuxOptions.STREAM_WRITE_TIMEOUT, Duration.ofHours(1));

    /** The shortest total of waits that is allowed, with a rate at which octets do not count. */
    private static final Settings STRICT = Settings.DEFAULTS
            .with(MuxOptions.STREAM_WRITE_TIMEOUT, Duration.ofSeconds(1))
            .with(TransportOptions.MIN_DOWNLOAD_RATE, 1_000_000_000)
            .with(TransportOptions.MIN_DOWNLOAD_RATE_GRACE, Duration.ZERO);

    private static String drip(Settings options, int id, Duration pause, int most) {
        try (Timers timers = new Timers("test");
                MuxScript mux = new MuxScript(options, timers)) {
            mux.get(1, "/").credit(1 - id, 10 * WINDOW); // the other window is open
            MuxScript.Sent sent = mux.send(1, new ResponseHead(), 2 * WINDOW, true);
            for (int i = 0; i < most && sent.count == 0; i++) {
                Deadline.pass(pause);
                mux.credit(id, 1);
            }
            return String.valueOf(sent.failure == null ? "" : sent.failure.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void resetsAStreamIfItsWindowOrTheConnectionsIsOpenedByAnOctetNowAndThen(int id) {
        assertEquals(
                "the peer took the response more slowly than minDownloadRate",
                drip(STRICT, id, Duration.ofMillis(20), 2000));
    }

    @Test
    void toleratesAnyPausesWithoutAMinimum() {
        assertEquals("", drip(STRICT.with(TransportOptions.MIN_DOWNLOAD_RATE, -1), 1, Duration.ofMillis(20), 100));
    }

    @Test
    void aPeerThatHasEndedItsOutputOpensNoWindow() {
        try (Timers timers = new Timers("test");
                MuxScript mux = new MuxScript(PATIENT, timers)) {
            mux.credit(0, 10 * WINDOW).get(1, "/").get(3, "/").get(5, "/");
            MuxScript.Sent blocked = mux.send(1, new ResponseHead(), 2 * WINDOW, true);
            mux.connection.receiveEnd();
            Deadline.await("the end of the blocked response", () -> blocked.count == 1);
            assertTrue(String.valueOf(blocked.failure).contains("the peer has ended its output"));

            MuxScript.Sent later = mux.send(3, new ResponseHead(), 2 * WINDOW, true);
            Deadline.await("the end of one that begins later", () -> later.count == 1);
            assertTrue(String.valueOf(later.failure).contains("the peer has ended its output"));

            MuxScript.Sent fits = mux.answer(5, 5);
            assertEquals(1, fits.count);
            assertNull(fits.failure);
        }
    }
}
