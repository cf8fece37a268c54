package io.millrace.cluster.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.infinispan.topology.CacheTopology;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.ProtocolStack;

/** Servers of a cluster on the loopback interface, without the servers. */
final class TestNodes {

    static final Duration MINUTE = Duration.ofMinutes(1);

    /** As in the server; kept, as unused loggers are collected. */
    private static final List<Logger> LIBRARIES = Stream.of("org.infinispan", "org.jgroups")
            .map(Logger::getLogger)
            .peek(logger -> logger.setLevel(Level.OFF))
            .toList();

    private TestNodes() {}

    /** Ports that nobody has now. */
    static List<Integer> freePorts(int count) throws IOException {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ports.add(LocalPort.free());
        }
        return ports;
    }

    static Map<String, String> attributes(List<Integer> ports, int port, Map<String, String> further) {
        Map<String, String> attributes = new HashMap<>(further);
        attributes.put("peers", ports.stream().map(one -> "127.0.0.1:" + one).collect(Collectors.joining(",")));
        attributes.put("port", String.valueOf(port));
        return attributes;
    }

    /** With all that takes time a fifth of what it is otherwise. */
    static ClusterNode node(List<Integer> ports, int port) {
        return new ClusterNode(InfinispanOptions.of(attributes(ports, port, Map.of("dropTime", "1000"))));
    }

    static void awaitServing(ClusterNode node) {
        assertEquals(2, LIBRARIES.size());
        node.start();
        Deadline.await(
                node + " serves", MINUTE, () -> node.inspect(Duration.ZERO).isEmpty());
    }

    static void awaitMembers(ClusterNode node, int count) {
        Deadline.await(
                node + " has " + count + " members",
                MINUTE,
                () -> node.membership().size() == count);
    }

    /** Waits until each of them has its copies: only then are they more than those that were there before. */
    static void awaitStable(ClusterNode node, int count) {
        Deadline.await(node + " is one of " + count, MINUTE, () -> {
            try {
                CacheTopology topology = ClusterNode.stable(node.cache(0));
                return topology != null && topology.getMembers().size() == count;
            } catch (IOException | InterruptedException e) {
                return false;
            }
        });
    }

    /** Loses all that the server sends and receives, until it is joined again. */
    static void cut(ClusterNode node) throws Exception {
        node.membership()
                .getProtocolStack()
                .insertProtocol(new DISCARD().discardAll(true), ProtocolStack.Position.ABOVE, TCP.class);
    }

    static void join(ClusterNode node) {
        node.membership().getProtocolStack().removeProtocol(DISCARD.class);
    }
}
