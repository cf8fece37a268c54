package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of the rest of a request's body that its handler did not read. */
final class UnreadBodyTest {

    private final MuxScript mux = new MuxScript(Settings.DEFAULTS
            .with(MuxOptions.INITIAL_WINDOW_SIZE, 1000)
            .with(MuxOptions.STREAM_WINDOW_SIZE, 4000)
            .with(MuxOptions.CONNECTION_WINDOW_SIZE, 70_000));

    @AfterEach
    void close() {
        mux.close();
    }

    private void answer(int id) {
        mux.answer(id, 0);
        mux.stream(id).end();
    }

    @Test
    void isTakenWithoutAResetIfItWasGranted() {
        mux.post(1, "/").data(1, 5, false);

        answer(1);
        mux.data(1, 900, true).get(3, "/");

        assertEquals(List.of("H 1 200 0 end"), mux.sent());
    }

    @Test
    void endsAtTheWindow() {
        mux.post(1, "/").data(1, 5, false);

        answer(1);
        mux.data(1, 900, false);
        assertEquals(List.of("H 1 200 0 end"), mux.sent());

        mux.data(1, 95, false);
        assertEquals(List.of("R 1 NONE"), mux.sent());
        mux.data(1, 500, true).get(3, "/");
        assertEquals(List.of(), mux.sent());
    }

    @Test
    void isResetAtOnceIfTheWindowIsClosedAlready() {
        mux.post(1, "/").data(1, 1000, false);

        answer(1);

        assertEquals(List.of("H 1 200 0 end", "R 1 NONE"), mux.sent());
    }

    @Test
    void isStillReadByTheRulesOfTheProtocol() {
        mux.post(1, "/");
        answer(1);
        mux.data(1, 5, true).data(1, 5, true);

        assertEquals(2, mux.sent().size(), "the response, and GOAWAY");
    }

    @Test
    void isNotTheHandlersBusinessAnyMore() {
        mux.post(1, "/");
        mux.stream(1).onClosed(cause -> {
            throw new AssertionError("the exchange is over");
        });
        answer(1);

        mux.receive('R', false, 1);

        assertEquals(List.of("H 1 200 0 end"), mux.sent());
    }

    @Test
    void doesNotHoldUpADrain() {
        mux.post(1, "/");
        answer(1);
        mux.sent();

        mux.connection.run(mux.mux::drain);
        mux.get(3, "/");
        answer(3);
        mux.receive('G', false, 0);

        assertEquals(
                "R 1 NONE",
                mux.sent().stream()
                        .filter(each -> each.startsWith("R"))
                        .findFirst()
                        .orElse(""));
    }
}
