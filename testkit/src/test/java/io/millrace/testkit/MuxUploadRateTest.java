package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.io.Timers;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The minimum rate of bodies on streams. */
final class MuxUploadRateTest {

    private static final Logger LOG = Logger.getLogger("io.millrace.protocol");

    /** No octet may be waited for. */
    private static final Settings STRICT = Settings.DEFAULTS
            .with(MuxOptions.STREAM_READ_TIMEOUT, Duration.ofMillis(1))
            .with(HttpOptions.MIN_UPLOAD_RATE_GRACE, Duration.ZERO)
            .with(HttpOptions.MIN_UPLOAD_RATE, 1_000_000_000);

    private static final Duration PAUSE = Duration.ofMillis(3);

    private final List<String> problems = new ArrayList<>();

    /** The ids of what was logged, and the attributes that each line names. */
    private final List<String> logged = new CopyOnWriteArrayList<>();

    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord line) {
            String text = new SimpleFormatter().formatMessage(line);
            logged.add(text.replaceAll("(?s)^(\\w+):.*raise or change (.*?)\\..*", "$1 $2"));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOG.addHandler(listener);
    }

    @AfterEach
    void stopListening() {
        LOG.removeHandler(listener);
    }

    private static HttpStream begin(MuxScript mux) {
        mux.post(1, "/");
        return Objects.requireNonNull(mux.streams.get(1));
    }

    /** After a pause. */
    private static void octet(MuxScript mux, boolean last) {
        Deadline.pass(PAUSE);
        mux.receive('D', last, 1, (byte) 'a');
    }

    @Test
    void givesABodyUpThatComesTooSlowly() {
        try (MuxScript mux = new MuxScript(STRICT)) {
            readOn(begin(mux));
            octet(mux, false);
            assertEquals(List.of("408 minUploadRate"), problems);
            assertEquals(List.of("MILLRACE0207 minUploadRate, or minUploadRateGrace"), logged);
            assertEquals(1, mux.connection.limits().times(Limit.UPLOAD_RATE));
        }
    }

    @Test
    void saysOfManySlowBodiesOnceWhichAttributeAllowsThem() {
        try (MuxScript mux = new MuxScript(STRICT)) {
            for (int id = 1; id < 9; id += 2) {
                mux.post(id, "/");
                readOn(mux.stream(id));
                Deadline.pass(PAUSE);
                mux.receive('D', false, id, (byte) 'a');
            }
            assertEquals(Collections.nCopies(4, "408 minUploadRate"), problems);
            assertEquals(1, logged.size());
        }
    }

    @Test
    void saysWhichTimeoutABodyHasThatStopsArriving() throws Exception {
        Settings options = Settings.DEFAULTS.with(MuxOptions.STREAM_READ_TIMEOUT, Duration.ofMillis(1));
        try (Timers timers = new Timers("test");
                MuxScript mux = new MuxScript(options, timers)) {
            CountDownLatch answered = new CountDownLatch(1);
            HttpStream stream = begin(mux);
            stream.awaitReadable(() -> {
                readOn(stream);
                answered.countDown();
            });
            Deadline.await(answered);
            assertEquals(List.of("408 unnamed"), problems);
            assertEquals(List.of("MILLRACE0207 streamReadTimeout"), logged);
        }
    }

    @Test
    void toleratesAPauseInABodyThatIsFastEnough() {
        Settings options = Settings.DEFAULTS
                .with(MuxOptions.STREAM_READ_TIMEOUT, Duration.ofHours(1))
                .with(HttpOptions.MIN_UPLOAD_RATE, 1);
        try (MuxScript mux = new MuxScript(options)) {
            readOn(begin(mux));
            octet(mux, false);
            octet(mux, false);
            octet(mux, true);
            assertEquals(List.of("whole"), problems);
        }
    }

    @Test
    void holdsForNoConversation() {
        try (MuxScript mux = new MuxScript(STRICT)) {
            HttpStream stream = begin(mux);
            stream.send(new ResponseHead(), Payload.NOTHING, false, Completion.IGNORE);
            readOn(stream);
            octet(mux, false);
            octet(mux, true);
            assertEquals(List.of("whole"), problems);
        }
    }

    @Test
    void holdsForNothingWhereWaitsHaveNoTimeout() {
        try (MuxScript mux = new MuxScript(STRICT.with(MuxOptions.STREAM_READ_TIMEOUT, Duration.ZERO))) {
            readOn(begin(mux));
            octet(mux, true);
            assertEquals(List.of("whole"), problems);
        }
    }

    /** Reads to the end, whenever there is something. */
    private void readOn(HttpStream stream) {
        try {
            Chunk chunk = stream.read();
            while (chunk != null && !chunk.isEnd()) {
                chunk.release();
                chunk = stream.read();
            }
            if (chunk == null) {
                stream.awaitReadable(() -> readOn(stream));
            } else {
                problems.add("whole");
            }
        } catch (ProtocolException refused) {
            boolean named = String.valueOf(refused.getMessage()).contains("minUploadRate,");
            problems.add(refused.status() + (named ? " minUploadRate" : " unnamed"));
        } catch (IOException broken) {
            problems.add(broken.toString());
        }
    }
}
