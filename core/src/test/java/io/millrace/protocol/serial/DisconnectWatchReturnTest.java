package io.millrace.protocol.serial;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Chunk;
import io.millrace.io.TestConnection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** While it watches a connection that passes to another handler, it … */
final class DisconnectWatchReturnTest {

    /** What the transport's thread does when the owner takes the input back. */
    enum When {
        READS,
        IS_ABOUT_TO_WAIT,
        WAITS
    }

    private final Source source = new Source();
    private final DisconnectWatch watch = new DisconnectWatch(source, false);

    @ParameterizedTest
    @EnumSource
    void givesTheInputToOneThread(When when) {
        watch.watch();
        boolean[] owner = new boolean[1];
        source.action = at -> {
            if (at == when) {
                source.action = any -> {};
                owner[0] = watch.takeBack();
            }
        };
        source.waits = false;
        boolean transport = watch.isCallAwaited();
        source.action.accept(When.WAITS);
        assertTrue(owner[0] ^ transport, "owner " + owner[0] + ", transport " + transport);
        assertFalse(source.waits);
        assertTrue(watch.isOff());
    }

    /** The transport's thread calls just before the owner takes the wait, and hands the connection over. */
    @Test
    void leavesTheNextHandlerItsWait() {
        watch.watch();
        source.beforeTaking = () -> {
            source.waits = false;
            assertTrue(watch.isCallAwaited());
            source.awaitReadable(); // by the next handler
        };
        assertFalse(watch.takeBack());
        assertTrue(source.waits);
    }

    /** A transport that nothing comes from. */
    private static final class Source extends TestConnection {

        private Consumer<When> action = at -> {};
        private Runnable beforeTaking = () -> {};
        private boolean waits;

        @Override
        public @Nullable Chunk read() {
            action.accept(When.READS);
            return null;
        }

        @Override
        public void awaitReadable() {
            assertFalse(waits, "waits twice");
            action.accept(When.IS_ABOUT_TO_WAIT);
            waits = true;
        }

        @Override
        public boolean takeBack() {
            beforeTaking.run();
            boolean waited = waits;
            waits = false;
            return waited;
        }
    }
}
