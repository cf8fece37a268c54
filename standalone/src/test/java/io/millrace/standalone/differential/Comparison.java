package io.millrace.standalone.differential;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Answers of two servers, or of one and those that were recorded of the other; their differences, and which of them are meant. */
public final class Comparison {

    private static final String CASE = "@ ";
    private static final String FIELD = " \u00a6 ";

    private final Expected expected;
    private final List<Answer.Difference> differences = new ArrayList<>();
    private final List<String> unexpected = new ArrayList<>();
    private final Map<String, Answer> theirs;
    private final Map<String, Answer> ours;
    private int requests;

    private Comparison(Expected expected, Map<String, Answer> theirs, Map<String, Answer> ours) {
        this.expected = expected;
        this.theirs = theirs;
        this.ours = ours;
    }

    /** Asks both servers, at their ports on the loopback interface. */
    public static Comparison of(List<Case> cases, int theirs, int ours, Path expected) throws IOException {
        Map<String, Answer> first = ask(cases, theirs);
        return compare(cases, first, ask(cases, ours), expected);
    }

    /** Asks this build only, and compares with what Tomcat once answered; cases that were not recorded are left out. */
    public static Comparison withRecorded(List<Case> cases, Path recorded, int ours, Path expected) throws IOException {
        Map<String, Answer> theirs = read(recorded);
        List<Case> asked =
                cases.stream().filter(each -> theirs.containsKey(each.name())).toList();
        if (!Cases.recorded().stream().map(Case::name).toList().containsAll(theirs.keySet())) {
            throw new IllegalStateException(recorded + " has cases that are no more; record it anew");
        }
        return compare(asked, theirs, ask(asked, ours), expected);
    }

    /** Writes down what a server answers. */
    public static void record(List<Case> cases, int port, Path file) throws IOException {
        write(ask(cases, port), file);
    }

    private static void write(Map<String, Answer> answers, Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        answers.forEach((name, answer) -> {
            lines.add(CASE + name);
            answer.fields().forEach((field, value) -> lines.add(field + FIELD + value));
        });
        Files.write(file, lines);
    }

    /** Leaves the answers of both, the differences, those that are not meant, and rows without one as files in a directory. */
    public void report(Path directory) throws IOException {
        Files.createDirectories(directory);
        write(theirs, directory.resolve("tomcat.txt"));
        write(ours, directory.resolve("millrace.txt"));
        Files.write(
                directory.resolve("differences.txt"),
                differences.stream().map(Answer.Difference::toString).toList());
        Files.write(directory.resolve("unexpected.txt"), unexpected);
        Files.write(directory.resolve("unused.txt"), unused());
        Files.writeString(
                directory.resolve("summary.txt"),
                theirs.size() + " cases, " + requests + " requests to each server, " + differences.size()
                        + " differences in fields, " + unexpected.size() + " of them not meant\n");
    }

    private static Map<String, Answer> read(Path file) throws IOException {
        Map<String, Answer> all = new LinkedHashMap<>();
        Answer answer = new Answer();
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            if (line.startsWith(CASE)) {
                answer = new Answer();
                all.put(line.substring(CASE.length()), answer);
            } else {
                int at = line.indexOf(FIELD);
                answer.put(line.substring(0, at), line.substring(at + FIELD.length()));
            }
        }
        return all;
    }

    private static Map<String, Answer> ask(List<Case> cases, int port) throws IOException {
        ProbeClient client = new ProbeClient(port);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Map<String, Future<Answer>> pending = new LinkedHashMap<>();
            for (Case each : cases) {
                pending.put(each.name(), threads.submit(() -> client.ask(each)));
            }
            Map<String, Answer> answers = new LinkedHashMap<>();
            for (Map.Entry<String, Future<Answer>> each : pending.entrySet()) {
                answers.put(each.getKey(), each.getValue().get());
            }
            return answers;
        } catch (InterruptedException e) {
            throw new IOException(e);
        } catch (ExecutionException e) {
            throw new UncheckedIOException(new IOException(e.getCause()));
        } finally {
            threads.shutdownNow();
        }
    }

    private static Comparison compare(List<Case> cases, Map<String, Answer> theirs, Map<String, Answer> ours, Path file)
            throws IOException {
        Comparison comparison = new Comparison(Expected.read(file), theirs, ours);
        for (Case each : cases) {
            Answer their = Objects.requireNonNull(theirs.get(each.name()));
            Answer our = Objects.requireNonNull(ours.get(each.name()));
            comparison.requests += each.steps().size();
            for (Answer.Difference difference : our.differences(each.name(), their)) {
                comparison.differences.add(difference);
                if (!comparison.expected.has(difference)) {
                    comparison.unexpected.add(difference.toString());
                }
            }
            comparison.guarded(each, their, our);
        }
        return comparison;
    }

    /** Whatever Tomcat answers, nothing of what is guarded reaches anybody here; nor what it refuses. */
    private void guarded(Case asked, Answer their, Answer our) {
        boolean absolute = asked.name().startsWith("constraints/")
                || asked.name().startsWith("guards/pathguard")
                || asked.name().contains("denied") && asked.name().startsWith("guards/");
        our.fields().forEach((field, value) -> {
            if (field.endsWith("body")
                    && value.contains("SECRET")
                    && (absolute || !value.equals(their.fields().get(field)))) {
                unexpected.add(asked.name() + " | " + field + " | shows what is guarded | " + value);
            }
        });
    }

    /** Differences that no rule means. */
    public List<String> unexpected() {
        return unexpected;
    }

    /** Rules without a difference. */
    public List<String> unused() {
        return expected.unused();
    }

    public int requests() {
        return requests;
    }
}
