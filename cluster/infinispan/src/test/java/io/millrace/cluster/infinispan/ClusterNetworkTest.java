package io.millrace.cluster.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Servers in network namespaces of their own, whose network is cut for half a minute, which are killed and suspended, while all of them count
 * in the same sessions …
 */
@Tag("soak")
@Timeout(600)
final class ClusterNetworkTest {

    private static final String SWITCH = "millrace0";
    private static final Duration CUT = Duration.ofSeconds(30);
    private static final int SOME = 300;

    private final List<CountingProcess> all = new ArrayList<>();
    private final List<String> spaces = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (CountingProcess process : all) {
            process.kill();
        }
        for (String space : spaces) {
            command("ip", "netns", "del", space);
        }
    }

    private static boolean command(String... words) throws Exception {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 || said.contains("File exists");
    }

    private void space(String name) throws Exception {
        assumeTrue(command("ip", "netns", "add", name), "needs the rights to make network namespaces");
        spaces.add(name);
        command("ip", "-n", name, "link", "set", "lo", "up");
    }

    /** Namespaces that a bridge connects. */
    private void network(int count) throws Exception {
        space(SWITCH);
        command("ip", "-n", SWITCH, "link", "add", "bridge", "type", "bridge");
        command("ip", "-n", SWITCH, "link", "set", "bridge", "up");
        for (int i = 1; i <= count; i++) {
            String name = name(i);
            space(name);
            command("ip", "-n", SWITCH, "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name);
            command("ip", "-n", SWITCH, "link", "set", name, "master", "bridge", "up");
            command("ip", "-n", name, "address", "add", address(i) + "/24", "dev", "eth0");
            command("ip", "-n", name, "link", "set", "eth0", "up");
        }
    }

    private static String name(int number) {
        return "millrace" + number;
    }

    private static String address(int number) {
        return "10.99.0." + number;
    }

    private static void cut(int number) throws Exception {
        command("ip", "-n", SWITCH, "link", "set", name(number), "nomaster");
    }

    private static void join(int number) throws Exception {
        command("ip", "-n", SWITCH, "link", "set", name(number), "master", "bridge");
    }

    private CountingProcess node(int number, int count) throws IOException {
        List<String> peers = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            peers.add(address(i));
        }
        CountingProcess process = new CountingProcess(
                List.of("ip", "netns", "exec", name(number)),
                Map.of("peers", String.join(",", peers), "address", address(number), "secret", "not a secret at all"));
        all.add(process);
        return process;
    }

    private List<CountingProcess> nodes(int count) throws Exception {
        network(count);
        List<CountingProcess> nodes = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            nodes.add(node(i, count));
        }
        awaitCounting(nodes);
        return nodes;
    }

    private static void awaitCounting(List<CountingProcess> nodes) {
        nodes.forEach(CountingProcess::awaitServing);
        nodes.forEach(node -> node.await("w", SOME));
    }

    private void assertOneTruth() throws Exception {
        for (CountingProcess process : all) {
            process.kill();
            System.out.println(process.counts());
        }
        assertEquals(
                List.of(), CountingProcess.violations(all).stream().limit(20).toList());
    }

    @Test
    void haveOneTruthIfThereAreThree() throws Exception {
        List<CountingProcess> nodes = nodes(3);
        cut(3);
        nodes.get(0).await("w", SOME);
        nodes.get(2).await("n", 2);
        Deadline.pass(CUT);
        nodes.get(1).await("w", SOME);
        join(3);
        awaitCounting(nodes);
        nodes.get(1).kill();
        nodes.get(0).await("w", SOME);
        nodes.get(2).await("w", SOME);
        nodes.set(1, node(2, 3));
        awaitCounting(nodes);
        nodes.get(0).signal("STOP");
        nodes.get(1).await("w", SOME);
        Deadline.pass(CUT);
        nodes.get(0).signal("CONT");
        awaitCounting(nodes);
        assertOneTruth();
    }

    @Test
    void haveOneTruthIfThereAreTwo() throws Exception {
        List<CountingProcess> nodes = nodes(2);
        cut(2);
        nodes.get(0).await("n", 2);
        nodes.get(1).await("n", 2);
        Deadline.pass(CUT);
        join(2);
        awaitCounting(nodes);
        nodes.get(1).kill();
        nodes.get(0).await("w", SOME);
        nodes.set(1, node(2, 2));
        awaitCounting(nodes);
        assertOneTruth();
    }
}
