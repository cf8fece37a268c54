package io.millrace.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientShares.Share;
import io.millrace.client.WaitQueue.Entry;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Timers;
import io.millrace.io.socket.SocketInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pool of 200 connections, of which one client may have half of those that the others leave. It … */
final class ClientSharesTest {

    private static final int CAPACITY = 200;

    private final ClientShares shares = new ClientShares(50);
    private final WaitQueue queue =
            new WaitQueue(new Object(), shares, new Timers("waiting"), Duration.ofHours(1), waiter -> {});

    private static ConnectionInfo client(String address, int port) {
        try {
            InetSocketAddress remote = new InetSocketAddress(InetAddress.getAllByName(address)[0], port);
            return new SocketInfo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 80), remote);
        } catch (UnknownHostException noLiteral) {
            throw new AssertionError(noLiteral);
        }
    }

    /** As many as it may. */
    private int holdAll(@Nullable ConnectionInfo client, int wanted) {
        int held = 0;
        Share share = shares.of(client);
        while (held < wanted && shares.mayHold(share, CAPACITY)) {
            shares.hold(share);
            held++;
        }
        return held;
    }

    /** Each of its connections holds one. */
    private int holdByConnections(String address, int wanted) {
        int held = 0;
        for (int port = 1; port <= wanted; port++) {
            held += holdAll(client(address, port), 1);
        }
        return held;
    }

    @Test
    void leavesSomethingForOthersWhateverOneAddressHolds() {
        assertEquals(100, holdByConnections("10.0.0.1", 300));
        assertEquals(50, holdByConnections("10.0.0.2", 300));
        assertEquals(25, holdByConnections("10.0.0.3", 300));
        assertEquals(13, holdByConnections("10.0.0.4", 300));
    }

    @Test
    void leavesSomethingForOtherConnectionsOfAnAddress() {
        assertEquals(50, holdAll(client("10.0.0.1", 1), 300));
        assertEquals(25, holdAll(client("10.0.0.1", 2), 300));
        assertEquals(13, holdAll(client("10.0.0.1", 3), 300));
        assertEquals(1, holdAll(client("10.0.0.1", 4), 1));
        assertTrue(shares.mayHold(shares.of(client("10.0.0.2", 1)), CAPACITY));
    }

    @Test
    void givesAllItHasToItsServerAndToProcessesOfThisMachine() {
        assertEquals(CAPACITY, holdAll(null, CAPACITY));
        ConnectionInfo process = new SocketInfo(UnixDomainSocketAddress.of("/s"), UnixDomainSocketAddress.of("/c"));
        assertEquals(1, holdAll(process, 1));
    }

    /** A front end reports many clients on one connection, with or without their ports. */
    @Test
    void takesThePortsOfClientsForConnectionsOnlyIfTheyAreKnown() {
        assertEquals(100, holdAll(client("10.0.0.1", 0), 300));
        assertEquals(25, holdAll(client("10.0.0.2", 5), 300));
    }

    @ParameterizedTest
    @CsvSource({"2001:db8::1, 2001:db8::2, false", "2001:db8::1, 2001:db8:0:1::1, true", "fe80::1, fe80::2, true"})
    void takesTheAddressesOfOneSiteForOneClient(String first, String second, boolean differ) {
        assertEquals(100, holdByConnections(first, 300));
        assertEquals(differ, shares.mayHold(shares.of(client(second, 1)), CAPACITY));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 2", "4, 2", "5, 3"})
    void roundsUp(int capacity, int expected) {
        int held = 0;
        for (int port = 1; port <= 20; port++) {
            Share share = shares.of(client("10.0.0.1", port));
            if (shares.mayHold(share, capacity)) {
                shares.hold(share);
                held++;
            }
        }
        assertEquals(expected, held);
    }

    /** The pool's 200 requests are those of one connection, of two, or of so many that each carries one. */
    @ParameterizedTest
    @CsvSource({"1, 100", "2, 100", "100, 100", "200, 100"})
    void givesAnAddressOfStreamsWhatItMightHaveOfConnections(int streams, int expected) {
        shares.streams(streams);
        assertEquals(expected, holdByConnections("10.0.0.1", 300));
    }

    @ParameterizedTest
    @CsvSource({"200, 100, 100", "200, 10, 100", "1000, 100, 500", "10, 100, 100", "1, 100, 50"})
    void boundsTheStreamsOfAnAddress(int connections, int streams, int expected) {
        shares.streams(streams);
        Share share = shares.of(client("10.0.0.1", 0));
        int held = 0;
        while (shares.mayHold(share, (long) connections * streams)) {
            shares.hold(share);
            held++;
        }
        assertEquals(expected, held);
        assertTrue(shares.mayHold(shares.of(client("10.0.0.2", 0)), (long) connections * streams));
    }

    @Test
    void forgetsWhoHoldsNothing() {
        Share share = shares.of(client("10.0.0.1", 1));
        shares.hold(share);
        shares.hold(share);
        shares.drop(shares.of(client("10.0.0.2", 1)));
        shares.giveBack(share);
        assertFalse(shares.isEmpty());
        assertTrue(share.equals(shares.of(client("10.0.0.1", 1))));
        shares.giveBack(share);
        assertTrue(shares.isEmpty());
    }

    private record Named(String name) implements SessionPool.Waiter {

        @Override
        public void onSession(ClientSession session) {}

        @Override
        public void onFailed(ClientException failure) {}
    }

    private void enqueue(String name, ConnectionInfo client) {
        queue.add(new Named(name), shares.of(client));
    }

    private SessionPool.@Nullable Waiter pushOut(ConnectionInfo client) {
        Share share = shares.of(client);
        SessionPool.Waiter lost = queue.pushOut(share);
        shares.drop(share);
        return lost;
    }

    private List<String> serve() {
        List<String> served = new ArrayList<>();
        for (Entry next = queue.next(CAPACITY); next != null; next = queue.next(CAPACITY)) {
            shares.hold(next.share());
            queue.remove(next.waiter());
            served.add(((Named) next.waiter()).name());
        }
        return served;
    }

    @Test
    void servesClientsInTurnAndEachOnesRequestsInOrder() {
        enqueue("a1", client("10.0.0.1", 1));
        enqueue("a2", client("10.0.0.1", 1));
        enqueue("a3", client("10.0.0.1", 1));
        enqueue("A1", client("10.0.0.1", 2));
        enqueue("A2", client("10.0.0.1", 2));
        enqueue("b1", client("10.0.0.2", 1));
        enqueue("b2", client("10.0.0.2", 1));
        assertEquals(List.of("a1", "b1", "A1", "b2", "a2", "A2", "a3"), serve());
    }

    @Test
    void passesOverWhoHoldsItsShare() {
        ConnectionInfo greedy = client("10.0.0.1", 1);
        holdAll(greedy, 300);
        enqueue("greedy", greedy);
        enqueue("other", client("10.0.0.2", 1));
        assertEquals(List.of("other"), serve());
        assertEquals(1, queue.size());
        shares.giveBack(shares.of(greedy));
        shares.giveBack(shares.of(greedy));
        assertEquals(List.of("greedy"), serve());
    }

    @Test
    void makesRoomForOthersInAFullQueueAtTheExpenseOfWhoHasMost() {
        ConnectionInfo greedy = client("10.0.0.1", 1);
        for (int i = 0; i < 4; i++) {
            enqueue("greedy" + i, greedy);
        }
        enqueue("same address", client("10.0.0.1", 2));
        assertEquals(new Named("greedy3"), pushOut(client("10.0.0.2", 1)));
        assertEquals(new Named("greedy2"), pushOut(client("10.0.0.1", 3)));
        assertNull(pushOut(greedy));
        assertEquals(3, queue.size());
        queue.clear();
        assertTrue(shares.isEmpty());
    }
}
