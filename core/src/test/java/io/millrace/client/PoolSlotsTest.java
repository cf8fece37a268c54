package io.millrace.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientShares.Share;
import io.millrace.client.PoolSlots.Slot;
import io.millrace.client.PoolSlots.Stage;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Timers;
import io.millrace.io.socket.SocketInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** At most two connections, each for two concurrent requests, with all possible events in every order. They … */
final class PoolSlotsTest {

    private static final int STREAMS = 2;
    private static final int STEPS = 6;

    /** The events of the pool, or of one of its two connections. */
    private enum Event {
        DIAL,
        TAKE,
        OPENED,
        SERVE,
        RETURNED,
        LIMITED,
        GONE
    }

    private static final WaitQueue NOBODY = new WaitQueue(
            new Object(), new ClientShares(100), new Timers("nobody"), Duration.ofSeconds(1), waiter -> {});

    private static final ConnectionInfo CLIENT = new SocketInfo(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 80),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000));

    private static PoolLimits atMost(int connections) {
        Duration any = Duration.ofSeconds(1);
        return new PoolLimits(connections, 1, 100, any, any, any);
    }

    /** The expected state of a connection. */
    private static final class Expected {
        private final Slot slot = new Slot();
        private final Session session = new Session();
        private Stage stage = Stage.OPENING;
        private int given;

        private boolean isOpen() {
            return stage == Stage.OPEN;
        }
    }

    /** A session with a variable limit. */
    private static final class Session implements ClientSession {
        private int limit = STREAMS;

        @Override
        public @Nullable ClientStream start(ClientRequest request, ResponseListener listener) {
            return null;
        }

        @Override
        public boolean isIdle() {
            return true;
        }

        @Override
        public int limit() {
            return limit;
        }

        @Override
        public void close(@Nullable Throwable cause) {}

        @Override
        public ConnectionInfo info() {
            throw new UnsupportedOperationException("nobody asks");
        }
    }

    /** A pool, and its expected state. */
    private static final class Model {
        private final ClientShares shares = new ClientShares(100);
        private final PoolSlots slots = new PoolSlots(atMost(2), shares, false, STREAMS);
        private final List<Expected> all = new ArrayList<>();

        /** False if the event is not possible now. */
        private boolean happens(Event event, int which) {
            if (event == Event.DIAL) {
                return which == 0 && dial();
            } else if (event == Event.TAKE) {
                return which == 0 && take();
            }
            return which < all.size() && happens(event, all.get(which));
        }

        private boolean dial() {
            boolean opening = all.stream().anyMatch(each -> each.stage == Stage.OPENING);
            assertEquals(!opening && count() < 2, slots.mayDial());
            if (!slots.mayDial() || all.size() == 2) {
                return false;
            }
            Expected dialled = new Expected();
            slots.dialled(dialled.slot, client());
            all.add(dialled);
            return true;
        }

        private boolean take() {
            ClientSession taken = slots.take(client());
            for (Expected each : all) {
                if (each.session.equals(taken)) {
                    each.given++;
                    assertTrue(each.isOpen());
                    assertTrue(each.given <= each.session.limit, "one request too many");
                }
            }
            return taken != null;
        }

        private boolean happens(Event event, Expected it) {
            Stage before = it.stage;
            switch (event) {
                case OPENED -> {
                    boolean opened = slots.opened(it.slot, it.session);
                    assertEquals(before == Stage.OPENING, opened);
                    it.stage = opened ? Stage.OPEN : before;
                    it.given += opened ? 1 : 0;
                    return opened;
                }
                case GONE -> {
                    assertEquals(before, slots.gone(it.slot));
                    it.stage = Stage.GONE;
                    return before != Stage.GONE;
                }
                case RETURNED -> {
                    if (it.given == 0 || !it.isOpen()) {
                        return false;
                    }
                    slots.returned(it.slot, client());
                    it.given--;
                }
                case LIMITED -> {
                    it.session.limit = STREAMS - it.session.limit;
                    slots.limited(it.slot, it.session.limit);
                }
                default -> {
                    assertNull(slots.serve(it.slot, NOBODY));
                    if (it.isOpen() && it.given < it.session.limit) {
                        assertTrue(take(), "a connection that was served without anybody in line has room");
                    }
                }
            }
            return true;
        }

        private Share client() {
            return shares.of(CLIENT);
        }

        private int count() {
            return (int) all.stream().filter(each -> each.stage != Stage.GONE).count();
        }

        private void check() {
            assertEquals(count(), slots.connections());
            int held = all.stream()
                    .mapToInt(each -> each.stage == Stage.OPENING ? 1 : each.isOpen() ? each.given : 0)
                    .sum();
            shares.drop(client());
            assertEquals(held == 0, shares.isEmpty());
            assertTrue(slots.idle() <= count());
            boolean opening = all.stream().anyMatch(each -> each.stage == Stage.OPENING);
            assertEquals(opening, slots.expected() > 0);
            for (Expected each : all) {
                assertEquals(each.isOpen(), slots.find(each.session) != null);
                boolean unused = each.isOpen() && each.given == 0;
                assertEquals(unused, slots.unused().contains(each.session));
                assertEquals(unused, slots.isDone(each.slot, true));
                assertFalse(slots.isDone(each.slot, false));
            }
        }
    }

    private record Step(Event event, int which) {}

    @Test
    void countWhatIsOpenAndGiveNoMoreThanItTakesWhateverComesInWhichOrder() {
        assertTrue(explore(List.of()) > 1000);
    }

    /** The number of sequences that begin with these steps. */
    private static int explore(List<Step> steps) {
        if (steps.size() == STEPS) {
            return 1;
        }
        int orders = 0;
        for (Event event : Event.values()) {
            for (int which = 0; which < 2; which++) {
                List<Step> more = new ArrayList<>(steps);
                more.add(new Step(event, which));
                orders += isPossible(more) ? explore(more) : 0;
            }
        }
        return orders;
    }

    /** Only the last step may be impossible. */
    private static boolean isPossible(List<Step> steps) {
        Model model = new Model();
        boolean possible = true;
        for (Step each : steps) {
            possible = model.happens(each.event(), each.which());
        }
        model.check();
        return possible;
    }

    @Test
    void takeOneRequestEachWhereTheyAreForOne() {
        ClientShares shares = new ClientShares(100);
        Share client = shares.of(CLIENT);
        PoolSlots slots = new PoolSlots(atMost(2), shares, true, STREAMS);
        Slot slot = new Slot();
        Session session = new Session();
        slots.dialled(slot, client);
        assertFalse(slots.isDone(slot, false), "it has not begun");
        assertTrue(slots.opened(slot, session));
        assertNull(slots.serve(slot, NOBODY));
        assertNull(slots.take(client));
        slots.returned(slot, client);
        assertTrue(slots.isDone(slot, false));
        assertNotNull(slots.find(session));
    }

    /** Requests that run on it are completed. */
    @Test
    void takeNoMoreRequestsAfterARequestThatHasEndedTooLate() {
        Duration any = Duration.ofSeconds(1);
        PoolLimits limits = new PoolLimits(2, 1, 100, any, any, any, Duration.ofNanos(1));
        ClientShares shares = new ClientShares(100);
        Share client = shares.of(CLIENT);
        PoolSlots slots = new PoolSlots(limits, shares, false, STREAMS);
        Slot slot = new Slot();
        Session session = new Session();
        slots.dialled(slot, client);
        slots.opened(slot, session);
        assertNull(slots.serve(slot, NOBODY));
        assertEquals(session, slots.take(client));
        slots.returned(slot, client);
        assertNull(slots.serve(slot, NOBODY));
        assertNull(slots.take(client), "it is too old");
        assertFalse(slots.isDone(slot, false), "it has a request");
        assertTrue(slots.mayDial());
        slots.returned(slot, client);
        assertNull(slots.serve(slot, NOBODY));
        assertTrue(slots.isDone(slot, false));
        assertEquals(0, slots.idle());
    }

    /** A download that takes long must not be the only use of the only connection. */
    @Test
    void takeRequestsBeyondTheirAgeWhereNoOtherCouldBeDialled() {
        Duration any = Duration.ofSeconds(1);
        PoolLimits limits = new PoolLimits(1, 1, 100, any, any, any, Duration.ofNanos(1));
        ClientShares shares = new ClientShares(100);
        Share client = shares.of(CLIENT);
        PoolSlots slots = new PoolSlots(limits, shares, false, STREAMS);
        Slot slot = new Slot();
        Session session = new Session();
        slots.dialled(slot, client);
        slots.opened(slot, session);
        assertNull(slots.serve(slot, NOBODY));
        assertEquals(session, slots.take(client));
        slots.returned(slot, client);
        assertNull(slots.serve(slot, NOBODY));
        assertEquals(session, slots.take(client));
        slots.returned(slot, client);
        slots.returned(slot, client);
        assertNull(slots.serve(slot, NOBODY));
        assertTrue(slots.isDone(slot, false), "nothing is in progress, so another one may follow");
    }

    @Test
    void areExpectedToTakeWhatTheLastHasTaken() {
        ClientShares shares = new ClientShares(100);
        Share client = shares.of(CLIENT);
        PoolSlots slots = new PoolSlots(atMost(3), shares, false, 100);
        Slot slot = new Slot();
        slots.dialled(slot, client);
        assertEquals(300, slots.expected());
        slots.opened(slot, new Session());
        slots.limited(slot, 10);
        slots.limited(slot, 0);
        slots.dialled(new Slot(), client);
        assertEquals(20, slots.expected());
    }
}
