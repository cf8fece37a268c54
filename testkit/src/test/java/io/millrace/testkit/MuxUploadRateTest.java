package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The minimum rate of bodies on streams. */
final class MuxUploadRateTest {

    /** No octet may be waited for. */
    private static final Settings STRICT = Settings.DEFAULTS
            .with(MuxOptions.STREAM_READ_TIMEOUT, Duration.ofMillis(1))
            .with(HttpOptions.MIN_UPLOAD_RATE_GRACE, Duration.ZERO)
            .with(HttpOptions.MIN_UPLOAD_RATE, 1_000_000_000);

    private static final Duration PAUSE = Duration.ofMillis(3);

    private final List<String> problems = new ArrayList<>();

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
        }
    }

    @Test
    void forgivesAPauseInABodyThatComesFastEnough() {
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
