package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.io.Timers;
import io.millrace.race.Race;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A response that is written while another thread receives it, or aborts … */
@Timeout(60)
final class OutputRaceTest {

    private static final String PIECE = "0123456789".repeat(2_000);
    private static final int PIECES = 12;

    private final Timers timers = new Timers("timers");
    private final AtomicInteger rounds = new AtomicInteger();

    @AfterEach
    void stop() {
        timers.close();
    }

    private abstract class Round implements Race.Round {

        final MemoryStream stream = new MemoryStream().window(0);
        final int number = rounds.incrementAndGet();

        @Override
        public void one() {
            new ExchangeDispatcher(this::write, new InPlace(), timers, ExchangeOptions.defaults())
                    .dispatch(Requests.get(), stream);
        }

        private void write(HttpExchange exchange) throws IOException {
            for (int i = 0; i < PIECES; i++) {
                ExchangeOutputStream.of(exchange).write(PIECE.getBytes(StandardCharsets.ISO_8859_1));
                if (i == number % PIECES) {
                    ExchangeOutputStream.of(exchange).flush();
                }
            }
        }

        final boolean isOver() {
            return stream.over.getCount() == 0;
        }

        @Override
        public void check() throws Exception {
            stream.awaitEnd();
            assertEquals(0, stream.pool.outstanding());
            assertTrue(PIECE.repeat(PIECES).startsWith(stream.received()));
        }
    }

    @Test
    void arrivesOnceInOrder() throws Exception {
        Race.run(() -> new Round() {
            @Override
            public void other() {
                while (!isOver()) {
                    stream.take(30_000);
                }
            }

            @Override
            public void check() throws Exception {
                super.check();
                assertEquals(PIECE.length() * PIECES, stream.received().length());
                assertEquals(1, stream.events().stream().filter("end"::equals).count());
            }
        });
    }

    @Test
    void isGivenBackIfTheClientGoes() throws Exception {
        Race.run(() -> new Round() {
            @Override
            public void other() {
                for (int i = 0; i < number % 8; i++) {
                    stream.take(30_000);
                }
                stream.breakOff(new IOException("Connection reset"));
            }

            @Override
            public void check() throws Exception {
                super.check();
                assertEquals(1, stream.events().stream().filter("abort"::equals).count());
            }
        });
    }
}
