package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class AdmissionTest {

    private static final int LIMIT = 3;

    private final PendingSource source = new PendingSource();
    private final AcceptGate gate = new AcceptGate("test", LIMIT, () -> {}, () -> 0);

    @Test
    void countsNobodyWhileItOnlyLooksForSomebody() throws Exception {
        source.stand(2);
        assertEquals(2, admit(socket -> {}));
        assertEquals(List.of(0, 1, 2), source.insideWhenAsked);
        assertEquals(2, gate.open());
    }

    @Test
    void takesInNoMoreThanTheLimit() throws Exception {
        source.stand(5);
        assertEquals(LIMIT, admit(socket -> {}));
        assertEquals(LIMIT, gate.open());
        assertEquals(2, source.pending.size());
    }

    @Test
    void countsThoseOffWhoAreGoneAlready() throws Exception {
        source.stand(2);
        source.configuring = new IOException("planted by the test: reset");
        assertEquals(2, admit(socket -> {}), "it went on to the end");
        assertEquals(0, gate.open());
        assertEquals(2, source.closed);
        assertTrue(gate.isOpen(), "one that is gone says nothing about the next");
    }

    @Test
    void countsThoseOffWhoCannotBeServedAndRests() throws Exception {
        source.stand(2);
        assertEquals(1, admit(socket -> {
            throw new IllegalStateException("planted by the test");
        }));
        assertEquals(0, gate.open());
        assertEquals(1, source.closed);
        assertFalse(gate.isOpen());
    }

    @Test
    void goesOnThoughOneThatIsGoneCannotBeClosed() throws Exception {
        source.pending.add(() -> {
            throw new IOException("planted by the test: broken pipe");
        });
        source.configuring = new IOException("planted by the test: reset");
        assertEquals(1, admit(socket -> {}));
        assertEquals(0, gate.open());
        assertTrue(gate.isOpen());
    }

    @Test
    void restsWhenItCannotAccept() throws Exception {
        source.accepting = new IOException("planted by the test: too many open files");
        admit(socket -> {});
        assertEquals(0, gate.open());
        assertFalse(gate.isOpen());
    }

    private int admit(Consumer<Closeable> onAccept) throws IOException {
        return new Acceptor.Admission<Closeable>(source, gate, onAccept).admit(10);
    }

    /** A source of pending sockets. */
    private final class PendingSource implements AcceptSource<Closeable> {

        private final Deque<Closeable> pending = new ArrayDeque<>();
        private final List<Integer> insideWhenAsked = new ArrayList<>();
        private @Nullable IOException accepting;
        private @Nullable IOException configuring;
        private int closed;

        void stand(int people) {
            for (int i = 0; i < people; i++) {
                pending.add(() -> closed++);
            }
        }

        @Override
        public @Nullable Closeable accept() throws IOException {
            insideWhenAsked.add(gate.open());
            if (accepting != null) {
                throw accepting;
            }
            return pending.poll();
        }

        @Override
        public void configure(Closeable socket) throws IOException {
            if (configuring != null) {
                throw configuring;
            }
        }

        @Override
        public SocketAddress address() {
            return new InetSocketAddress(0);
        }

        @Override
        public void open(Runnable onPending) {
            // asked without
        }

        @Override
        public void watch(boolean wanted) {
            // asked without
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
