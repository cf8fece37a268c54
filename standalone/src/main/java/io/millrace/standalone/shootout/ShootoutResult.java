package io.millrace.standalone.shootout;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a shoot-out measured.
 *
 * @param contestants in the order in which they are shown
 * @param cells of all contestants, workloads and numbers of clients
 * @param waiting synchronous and asynchronous servlets; empty if they were not compared
 * @param leftOut what could not be measured, a sentence each
 * @param idle the part of all processors that other programs took before the start, 0 to 1; NaN if it is unknown
 * @param client who encrypts at the clients' side; empty if nothing is encrypted
 * @param settings how it was measured: names and values
 */
record ShootoutResult(
        Instant began,
        Duration took,
        List<Contestant> contestants,
        List<Workload> workloads,
        List<Integer> clients,
        List<Cell> cells,
        List<Waiting> waiting,
        List<String> leftOut,
        double idle,
        String client,
        List<Setting> settings) {

    /** How connections are encrypted. */
    enum Tls {
        PLAIN("plain"),
        JSSE("JSSE"),
        OPENSSL("OpenSSL"),
        /** A server that the product did not start. */
        OTHER("TLS");

        private final String title;

        Tls(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        /** As in the command line. */
        String word() {
            return title.toLowerCase(Locale.ROOT);
        }

        boolean isEncrypted() {
            return this != PLAIN;
        }
    }

    /**
     * Who is measured.
     *
     * @param transport null for a server that the product did not start
     */
    record Contestant(String name, @Nullable String transport, Tls tls) {

        static Contestant of(String transport, Tls tls) {
            return new Contestant(tls.isEncrypted() ? transport + " " + tls.title() : transport, transport, tls);
        }
    }

    /**
     * What is asked for.
     *
     * @param size of the response in bytes; −1 if it is not known in advance
     */
    record Workload(String title, String path, long size) {}

    /** A name and a value, for people. */
    record Setting(String name, String value) {}

    /**
     * One round.
     *
     * @param rate responses a second
     * @param bytes bytes of bodies a second
     * @param cpu the server's processor time for a response, in microseconds; NaN if it is unknown
     * @param p50 median of the latency, in milliseconds
     * @param p99 99th percentile of the latency, in milliseconds
     * @param clientPart the part of all processors that the clients took, 0 to 1; NaN if it is unknown
     * @param others the part of all processors that other programs took, 0 to 1; NaN if it is unknown
     * @param compilers the processor time of the server's just-in-time compilers, as a part of one processor; NaN if it is unknown
     * @param failures responses with a status other than 200, and broken connections
     */
    record Sample(
            double rate,
            double bytes,
            double cpu,
            double p50,
            double p99,
            double clientPart,
            double others,
            double compilers,
            long failures) {}

    /** All rounds of a contestant with a workload. */
    record Cell(Contestant contestant, Workload workload, int clients, List<Sample> samples) {

        /** This and more samples of the same. */
        Cell and(Cell more) {
            return new Cell(
                    contestant,
                    workload,
                    clients,
                    Stream.concat(samples.stream(), more.samples.stream()).toList());
        }

        /** Of all rounds; NaN if there is none. */
        double median(ToDoubleFunction<Sample> figure) {
            return ShootoutResult.median(samples.stream().mapToDouble(figure).toArray());
        }

        double least(ToDoubleFunction<Sample> figure) {
            return samples.stream().mapToDouble(figure).min().orElse(Double.NaN);
        }

        double most(ToDoubleFunction<Sample> figure) {
            return samples.stream().mapToDouble(figure).max().orElse(Double.NaN);
        }

        long failures() {
            return samples.stream().mapToLong(Sample::failures).sum();
        }

        /** How much the rounds differ: the difference of most and least as a part of the median. */
        double spread() {
            ToDoubleFunction<Sample> figure = Double.isNaN(median(Sample::cpu)) ? Sample::rate : Sample::cpu;
            return (most(figure) - least(figure)) / median(figure);
        }
    }

    /**
     * Servlets of one transport that wait or compute.
     *
     * @param isAsync whether a request gives its thread back meanwhile
     * @param clients that wait at the same time
     * @param rate responses a second of the servlet that waits
     * @param p99 its latency, in milliseconds
     * @param threads of the whole process at most; −1 if they are unknown
     * @param memory by which the process grew meanwhile, in bytes; −1 if it is unknown
     * @param cpu the server's processor time for a response, in microseconds; NaN if it is unknown
     * @param computed responses a second of the servlet that computes
     */
    record Waiting(
            String transport,
            boolean isAsync,
            int clients,
            double rate,
            double p99,
            int threads,
            long memory,
            double cpu,
            double computed) {}

    /** The one with these. */
    Cell cell(Contestant contestant, Workload workload, int count) {
        return cells.stream()
                .filter(cell ->
                        cell.contestant.equals(contestant) && cell.workload.equals(workload) && cell.clients == count)
                .findFirst()
                .orElseThrow();
    }

    /** The part of all processors that other programs took, in the median round; NaN if it is unknown. */
    double others() {
        return median(samples().mapToDouble(Sample::others).toArray());
    }

    /** The part of one processor that the compilers of the servers took, in the median round; NaN if it is unknown. */
    double compilers() {
        return median(samples().mapToDouble(Sample::compilers).toArray());
    }

    /** How much the rounds of a cell differ, in the median cell. */
    double spread() {
        return median(cells.stream().mapToDouble(Cell::spread).toArray());
    }

    private Stream<Sample> samples() {
        return cells.stream().flatMap(cell -> cell.samples.stream());
    }

    static double median(double... values) {
        double[] sorted = Arrays.stream(values)
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
        int half = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
