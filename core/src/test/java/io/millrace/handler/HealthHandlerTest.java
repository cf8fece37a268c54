package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The health handler … */
class HealthHandlerTest {

    @Test
    void isUpWhileAllChecksAre() {
        AtomicBoolean db = new AtomicBoolean(true);
        HealthHandler health = HealthHandler.of(() -> true).with("db \"main\"", db::get);
        MemoryStream up = Asked.get("/health").of(health);
        assertEquals(200, up.status());
        assertEquals("no-store", up.header("Cache-Control"));
        assertEquals(
                "{\"status\":\"UP\",\"checks\":[{\"name\":\"server\",\"status\":\"UP\"},"
                        + "{\"name\":\"db \\\"main\\\"\",\"status\":\"UP\"}]}\n",
                up.body());
        db.set(false);
        assertEquals(503, Asked.get("/health").of(health).status());
    }

    @Test
    void namesPartsThatAreUnavailable() {
        AtomicReference<List<String>> down = new AtomicReference<>(List.of());
        HealthHandler health = HealthHandler.of(() -> true).withUnavailable(down::get);
        assertEquals(200, Asked.get("/health").of(health).status());
        down.set(List.of("/shop"));
        MemoryStream answer = Asked.get("/health").of(health);
        assertEquals(503, answer.status());
        assertEquals(
                "{\"status\":\"DOWN\",\"checks\":[{\"name\":\"server\",\"status\":\"UP\"},"
                        + "{\"name\":\"/shop\",\"status\":\"DOWN\"}]}\n",
                answer.body());
    }

    @Test
    void countsABrokenCheckAsDown() {
        HealthHandler health = HealthHandler.of(() -> {
            throw new IllegalStateException("broken");
        });
        MemoryStream answer = Asked.get("/health").of(health);
        assertEquals(503, answer.status());
        assertEquals("{\"status\":\"DOWN\",\"checks\":[{\"name\":\"server\",\"status\":\"DOWN\"}]}\n", answer.body());
    }
}
