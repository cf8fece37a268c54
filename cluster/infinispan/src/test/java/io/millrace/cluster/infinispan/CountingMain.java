package io.millrace.cluster.infinispan;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Counts in sessions {@code s0} to {@code s9} until it is killed, and prints what the store said, with the times before and after in
 * nanoseconds by the clock that all processes of a machine share:
 *
 * <pre>
 * serving              sessions can be used
 * r KEY VALUE FROM TO  read
 * w KEY VALUE FROM TO  written
 * d KEY VALUE FROM TO  in doubt: the write failed, but may have happened
 * n KEY 0 FROM TO      not available
 * </pre>
 */
final class CountingMain {

    private static final int SESSIONS = 10;

    /** So that the output stays small. */
    private static final Duration PAUSE = Duration.ofMillis(2);

    private CountingMain() {}

    /**
     * Runs until it is killed.
     *
     * @param arguments attributes as NAME=VALUE
     */
    public static void main(String[] arguments) {
        Map<String, String> attributes = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            attributes.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        ClusterNode node = new ClusterNode(InfinispanOptions.of(attributes));
        TestNodes.awaitServing(node);
        System.out.println("serving");
        SessionStore store = new InfinispanSessionStore(node, "/shop");
        for (int i = 0; ; i = (i + 1) % SESSIONS) {
            count(store, "s" + i);
            Deadline.pass(PAUSE);
        }
    }

    private static void count(SessionStore store, String key) {
        long begun = System.nanoTime();
        SessionRecord now;
        try {
            now = store.read(key);
        } catch (IOException e) {
            print("n", key, 0, begun);
            return;
        }
        int value = now == null
                ? 0
                : ByteBuffer.wrap(Objects.requireNonNull(now.attributes().get("a")))
                        .getInt();
        print("r", key, value, begun);
        begun = System.nanoTime();
        byte[] next = ByteBuffer.allocate(Integer.BYTES).putInt(value + 1).array();
        long version = now == null ? 0 : now.version();
        try {
            if (store.write(new SessionRecord(key, version, 1_000, 2_000, 3_600, Map.of("a", next), Map.of()))) {
                print("w", key, value + 1, begun);
            }
        } catch (IOException e) {
            print("d", key, value + 1, begun);
        }
    }

    private static void print(String what, String key, int value, long begun) {
        System.out.println(what + " " + key + " " + value + " " + begun + " " + System.nanoTime());
    }
}
