package io.millrace.standalone.shootout;

import io.millrace.standalone.shootout.ShootoutResult.Cell;
import io.millrace.standalone.shootout.ShootoutResult.Contestant;
import io.millrace.standalone.shootout.ShootoutResult.Sample;
import io.millrace.standalone.shootout.ShootoutResult.Setting;
import io.millrace.standalone.shootout.ShootoutResult.Tls;
import io.millrace.standalone.shootout.ShootoutResult.Waiting;
import io.millrace.standalone.shootout.ShootoutResult.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Figures as a shoot-out measures them: bio takes half as much again as nio, and OpenSSL 60 % of the JDK's TLS. */
final class SampleResult {

    private SampleResult() {}

    /**
     * Made up.
     *
     * @param others the part of the processors that other programs took
     * @param drift of the last of three rounds; 1 for none
     */
    static ShootoutResult of(double others, double drift) {
        List<Contestant> contestants = List.of(
                Contestant.of("nio", Tls.PLAIN),
                Contestant.of("bio", Tls.PLAIN),
                Contestant.of("nio", Tls.JSSE),
                Contestant.of("nio", Tls.OPENSSL));
        List<Workload> workloads =
                List.of(new Workload("servlet", "/hello", -1), new Workload("128 KiB", "/file/128k.bin", 128 * 1024));
        double[] costs = {10, 15, 20, 12};
        List<Cell> cells = new ArrayList<>();
        for (Workload workload : workloads) {
            for (int clients : new int[] {4, 40}) {
                for (int i = 0; i < costs.length; i++) {
                    double cost = costs[i] * (workload.size() < 0 ? 1 : 4);
                    List<Sample> samples =
                            List.of(sample(cost, others), sample(cost, others), sample(cost * drift, others));
                    cells.add(new Cell(contestants.get(i), workload, clients, samples));
                }
            }
        }
        return new ShootoutResult(
                Instant.parse("2026-11-28T20:00:00Z"),
                Duration.ofMinutes(5),
                contestants,
                workloads,
                List.of(4, 40),
                cells,
                List.of(
                        new Waiting("nio", false, 1000, 1000, 1010, 225, 30_000_000, 90, 20_000),
                        new Waiting("nio", true, 1000, 4000, 260, 30, 10_000_000, 60, 19_000)),
                List.of("apr is left out: libapr-1.so.0 is <not> installed"),
                0.01,
                "OpenSSL 3.0.17",
                List.of(new Setting("Java", "25")));
    }

    private static Sample sample(double cost, double others) {
        return new Sample(40_000, 5e8, cost, 1.5, 6, 0.45, others, 0.01, 0);
    }
}
