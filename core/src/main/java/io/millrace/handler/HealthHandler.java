package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Reports the server's health: 200 with {@code "UP"}, or 503 with {@code "DOWN"} if a check fails. The checks run for
 * each request on the connection's thread, and must not block. Responses are not cacheable.
 */
public final class HealthHandler implements NonBlockingHandler {

    private final List<Check> checks;
    /** The names of further parts that are down. */
    private final Supplier<? extends Collection<String>> down;

    private record Check(String name, BooleanSupplier isUp) {}

    private HealthHandler(List<Check> checks, Supplier<? extends Collection<String>> down) {
        this.checks = checks;
        this.down = down;
    }

    /** A handler with one check, named {@code server}. */
    public static HealthHandler of(BooleanSupplier isUp) {
        return new HealthHandler(List.of(), List::of).with("server", isUp);
    }

    /**
     * The same handler with another check.
     *
     * @param name the name in the response
     * @param isUp returns false or throws if this part is not healthy
     */
    public HealthHandler with(String name, BooleanSupplier isUp) {
        List<Check> more = new ArrayList<>(checks);
        more.add(new Check(name, isUp));
        return new HealthHandler(List.copyOf(more), down);
    }

    /**
     * The same handler, but down while any of a varying set of parts is.
     *
     * @param names the names in the response of the parts that should work and do not; called for each request
     */
    public HealthHandler withUnavailable(Supplier<? extends Collection<String>> names) {
        return new HealthHandler(checks, names);
    }

    @Override
    public void handle(HttpExchange exchange) {
        StringBuilder parts = new StringBuilder();
        boolean allUp = true;
        for (Check check : checks) {
            boolean up = isUp(check);
            allUp &= up;
            add(parts, check.name, up);
        }
        for (String name : down.get()) {
            allUp = false;
            add(parts, name, false);
        }
        exchange.response().headers().set("Cache-Control", "no-store");
        String status = allUp ? "UP" : "DOWN";
        Responses.json(exchange, allUp ? 200 : 503, "{\"status\":\"" + status + "\",\"checks\":[" + parts + "]}\n");
    }

    private static void add(StringBuilder parts, String name, boolean up) {
        parts.append(parts.length() == 0 ? "" : ",").append("{\"name\":").append(Json.quote(name));
        parts.append(",\"status\":\"").append(up ? "UP" : "DOWN").append("\"}");
    }

    private static boolean isUp(Check check) {
        try {
            return check.isUp.getAsBoolean();
        } catch (RuntimeException broken) {
            return false;
        }
    }
}
