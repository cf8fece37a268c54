package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.io.Timers;
import io.millrace.workers.Workers;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The blocking streams on virtual threads: one that waits does not prevent others from running. */
@Timeout(60)
@EnabledForJreRange(min = JRE.JAVA_21)
final class VirtualThreadsTest {

    /** More than there are carrier threads. */
    private static final int MANY = 200;

    private final Timers timers = new Timers("timers");

    @Test
    void waitInBothDirectionsWithoutHoldingUpOthers() throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        Workers virtual = new Workers() {
            @Override
            public void execute(Runnable task) {
                try {
                    start.invoke(null, task);
                } catch (ReflectiveOperationException impossible) {
                    throw new LinkageError("virtual threads", impossible);
                }
            }

            @Override
            public boolean isWorker() {
                return false;
            }
        };
        ExchangeOptions options = new ExchangeOptions(1000, new PlainErrorResponder());
        ExchangeDispatcher dispatcher = new ExchangeDispatcher(
                exchange -> {
                    int first = ExchangeInputStream.of(exchange).read();
                    ExchangeOutputStream.of(exchange).write(new byte[100_000]);
                    ExchangeOutputStream.of(exchange).write(first);
                },
                virtual,
                timers,
                options);
        List<MemoryStream> streams = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            MemoryStream stream = new MemoryStream().window(0);
            streams.add(stream);
            dispatcher.dispatch(Requests.get(), stream);
        }
        for (MemoryStream stream : streams) {
            stream.supply("x");
        }
        for (MemoryStream stream : streams) {
            stream.take(Long.MAX_VALUE / 2);
            stream.awaitEnd();
            assertEquals(100_001, stream.receivedBytes().length);
            assertEquals(0, stream.pool.outstanding());
        }
        timers.close();
    }
}
