package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The service manager … */
final class ServiceManagerTest {

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final ServiceManager manager = ServiceManager.by(told::add, 20_000);

    @AfterEach
    void end() {
        manager.ended();
    }

    /** A service that answers as long as it is let. */
    private static final class Pinged implements ServiceManager.Service {

        private final AtomicInteger questions = new AtomicInteger();
        private volatile CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);

        @Override
        public String status() {
            return "1 application";
        }

        @Override
        public CompletionStage<Void> ping() {
            questions.incrementAndGet();
            return answer;
        }
    }

    private long fed() {
        return told.stream().filter("WATCHDOG=1"::equals).count();
    }

    @Test
    void isFedOnlyWhileAllThreadsAnswer() throws Exception {
        Pinged service = new Pinged();
        manager.starting();
        manager.ready(service);
        assertEquals("READY=1\nSTATUS=1 application\nWATCHDOG=1", told.get(1));
        Deadline.await("the watchdog to be fed", () -> fed() >= 2);
        CompletableFuture<Void> late = new CompletableFuture<>();
        service.answer = late;
        int before = service.questions.get();
        Deadline.await("an unanswered question", () -> service.questions.get() > before);
        int asked = service.questions.get();
        long fed = fed();
        manager.reloading(() -> "takes its time");
        assertEquals(fed, fed());
        assertEquals(asked, service.questions.get());
        late.complete(null);
        Deadline.await("the watchdog to be fed again", () -> fed() > fed);
    }

    @Test
    void isToldThatTheServerStopsAndForHowLong() throws Exception {
        manager.starting();
        manager.ready(new Pinged());
        manager.stopping(Duration.ofSeconds(30));
        manager.ended();
        assertEquals(
                "STOPPING=1\nSTATUS=waiting for running requests, for 30 s at most\nEXTEND_TIMEOUT_USEC=15000000",
                told.get(told.size() - 2));
        assertEquals("STATUS=stopped", told.get(told.size() - 1));
    }
}
