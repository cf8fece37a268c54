package io.millrace.cluster.infinispan;

import io.millrace.testkit.Deadline;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A server of a cluster in a process of its own, which counts ({@link CountingMain}), and what it was told. */
final class CountingProcess implements AutoCloseable {

    private final Process process;
    private final Thread reader;
    private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
    private volatile boolean serves;

    /** What a store said of a value, and between which times. */
    record Answer(String what, String key, int value, long begun, long ended) {

        static Answer of(String line) {
            String[] words = line.split(" ", -1);
            return new Answer(
                    words[0], words[1], Integer.parseInt(words[2]), Long.parseLong(words[3]), Long.parseLong(words[4]));
        }
    }

    /** @param prefix what the command begins with: nothing, or a program that runs it elsewhere */
    CountingProcess(List<String> prefix, Map<String, String> attributes) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path", File.pathSeparator),
                CountingMain.class.getName()));
        attributes.forEach((name, value) -> command.add(name + "=" + value));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        reader = new Thread(this::read, "counting-output");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals("serving")) {
                    serves = true;
                } else if (line.matches("[rwdn] s\\d .*\\d")) { // the last line of one that is killed may be cut off
                    answers.add(Answer.of(line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitServing() {
        Deadline.await("it serves", TestNodes.MINUTE, () -> serves || !process.isAlive());
    }

    /** Waits for answers that are given from now on. */
    void await(String what, int count) {
        long now = System.nanoTime();
        Deadline.await(
                what + " " + count + " times",
                TestNodes.MINUTE,
                () -> answers.stream()
                                .filter(answer -> answer.what().equals(what) && answer.begun() > now)
                                .count()
                        >= count);
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** Kills it, and reads all that it has said. */
    void kill() throws InterruptedException {
        process.destroyForcibly().onExit().join();
        reader.join();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /**
     * Looks for what must not be: two writes of the same value that both succeeded, and a read of less than what somebody had been told before
     * it began.
     *
     * @return a line each
     */
    static List<String> violations(List<CountingProcess> processes) {
        List<Answer> all = new ArrayList<>();
        processes.forEach(process -> all.addAll(process.answers));
        Map<String, Answer> written = new HashMap<>();
        List<String> found = new ArrayList<>();
        for (Answer answer : all) {
            if (answer.what().equals("w")) {
                Answer other = written.put(answer.key() + " " + answer.value(), answer);
                if (other != null) {
                    found.add("two truths: " + other + ", " + answer);
                }
            }
        }
        List<Answer> told = new ArrayList<>(written.values());
        told.sort(Comparator.comparingLong(Answer::ended));
        List<Answer> reads = new ArrayList<>(
                all.stream().filter(answer -> answer.what().equals("r")).toList());
        reads.sort(Comparator.comparingLong(Answer::begun));
        Map<String, Integer> latest = new HashMap<>();
        int next = 0;
        for (Answer read : reads) {
            for (; next < told.size() && told.get(next).ended() < read.begun(); next++) {
                latest.merge(told.get(next).key(), told.get(next).value(), Math::max);
            }
            if (read.value() < latest.getOrDefault(read.key(), 0)) {
                found.add("stale: " + read + " after " + latest.get(read.key()));
            }
        }
        return found;
    }

    /** How many answers there were, by what they said. */
    Map<String, Integer> counts() {
        Map<String, Integer> counts = new HashMap<>();
        answers.forEach(answer -> counts.merge(answer.what(), 1, Integer::sum));
        return counts;
    }
}
