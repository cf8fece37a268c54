package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class HeapPathTest {

    private static final class Held {}

    private static final class HeldByThread {}

    private static final class HeldWeakly {}

    private static final List<Object> HOLDER = List.of("something", new Held());

    @Test
    void namesTheClassAndTheFieldThatHoldAnObject() throws Exception {
        String path = HeapPath.to(Held.class.getName());
        assertTrue(path.contains("class io.millrace.testkit.HeapPathTest\n.HOLDER -> java.util."), path);
        assertTrue(path.endsWith(" -> io.millrace.testkit.HeapPathTest$Held"), path);
        assertEquals(2, HOLDER.size());
    }

    @Test
    void namesTheThreadThatHoldsAnObject() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(() -> await(started, end, new HeldByThread()), "the \u20ac poller");
        thread.start();
        started.await();
        String path = HeapPath.to(HeldByThread.class.getName());
        end.countDown();
        thread.join();
        assertEquals(
                "a frame of the thread \"the \u20ac poller\" -> io.millrace.testkit.HeapPathTest$HeldByThread", path);
    }

    private static void await(CountDownLatch started, CountDownLatch end, HeldByThread held) {
        started.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    @Test
    void findsNoWayToGarbage() throws Exception {
        WeakReference<HeldWeakly> weak = new WeakReference<>(new HeldWeakly());
        assertEquals(
                "nothing holds an instance of io.millrace.testkit.HeapPathTest$HeldWeakly",
                HeapPath.to(HeldWeakly.class.getName()));
        assertNull(weak.get());
    }
}
