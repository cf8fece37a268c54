package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadyLoopTest {

    private final ReadyLoop loop = new ReadyLoop();
    private final List<String> calls = new ArrayList<>();

    @Test
    void callsAtOnceOnTheCallersThread() {
        loop.run(() -> calls.add(Thread.currentThread().getName()));
        assertEquals(List.of(Thread.currentThread().getName()), calls);
    }

    @Test
    void callsAgainAfterACallThatAwaitsHoweverOften() {
        class Awaiting implements Runnable {
            private int left = 1_000_000;
            private int depth;

            @Override
            public void run() {
                assertEquals(0, depth++);
                if (left-- > 0) {
                    loop.run(this);
                }
                depth--;
            }
        }
        Awaiting awaiting = new Awaiting();
        loop.run(awaiting);
        assertEquals(-1, awaiting.left);
    }

    @Test
    void leavesTheNextCallToTheThreadWhoseCallIsUnderWay() throws Exception {
        CountDownLatch awaited = new CountDownLatch(1);
        loop.run(() -> {
            calls.add(Thread.currentThread().getName());
            if (calls.size() == 1) {
                new Thread(() -> {
                            loop.run(() -> calls.add("elsewhere"));
                            awaited.countDown();
                        })
                        .start();
                await(awaited);
            }
        });
        String me = Thread.currentThread().getName();
        assertEquals(List.of(me, me), calls);
    }

    @Test
    void complainsOfAnOwnerThatAwaitsTwice() {
        loop.run(() -> {
            if (calls.isEmpty()) {
                calls.add("first");
                loop.run(() -> {});
                assertThrows(IllegalStateException.class, () -> loop.run(() -> {}));
            }
        });
    }

    @Test
    void callsAgainAfterACallThatThrew() {
        assertThrows(
                UnsupportedOperationException.class,
                () -> loop.run(() -> {
                    throw new UnsupportedOperationException();
                }));
        loop.run(() -> calls.add("next"));
        assertEquals(List.of("next"), calls);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertEquals(true, latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
