package io.millrace.cluster.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.Pool;

/** What a server says of itself. */
final class ServerInspection {

    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(5);
    private static final String POLICY = "maxmemory_policy";

    private ServerInspection() {}

    /** Asks a server, and returns what an operator should correct. */
    static List<String> advice(Pool<Connection> pool) {
        List<String> advice = new ArrayList<>();
        try (Connection connection = pool.getResource()) {
            look(connection, advice);
        }
        return advice;
    }

    private static void look(Connection connection, List<String> advice) {
        Map<String, String> info = info(connection);
        String name = String.valueOf(connection.getHostAndPort());
        String policy = info.getOrDefault(POLICY, "noeviction");
        if (!policy.equals("noeviction") && !policy.equals("volatile-ttl")) {
            advice.add("Redis at " + name + " has maxmemory-policy " + policy
                    + ", so that sessions disappear while they are used if its memory is full; set maxmemory-policy"
                    + " noeviction, or volatile-ttl, and a Redis of its own for caches");
        }
        List<?> time = (List<?>) connection.executeCommand(Protocol.Command.TIME);
        long seconds = Long.parseLong(new String((byte[]) time.get(0), StandardCharsets.US_ASCII));
        Duration ahead = Duration.ofMillis(System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(seconds));
        if (ahead.abs().compareTo(MAX_CLOCK_DIFFERENCE) > 0) {
            advice.add("the clocks of this server and of Redis at " + name + " are "
                    + ahead.abs().toSeconds()
                    + " s apart, so that sessions expire early or late; synchronize both (NTP)");
        }
    }

    private static Map<String, String> info(Connection connection) {
        Object answer = connection.executeCommand(Protocol.Command.INFO);
        Map<String, String> info = new HashMap<>();
        if (answer instanceof byte[] text) {
            new String(text, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.indexOf(':') > 0)
                    .forEach(line -> {
                        int colon = line.indexOf(':');
                        info.put(
                                line.substring(0, colon),
                                line.substring(colon + 1).strip());
                    });
        }
        return info;
    }
}
