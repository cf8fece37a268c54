package io.millrace.standalone.shootout;

import io.millrace.standalone.shootout.ShootoutResult.Contestant;
import io.millrace.standalone.shootout.ShootoutResult.Sample;
import io.millrace.standalone.shootout.ShootoutResult.Waiting;
import io.millrace.standalone.shootout.ShootoutResult.Workload;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Prints the figures of a shoot-out for a terminal: a table of rates and one of processor time for each number of clients. */
final class ResultTable {

    private final PrintWriter out;

    private ResultTable(PrintWriter out) {
        this.out = out;
    }

    static void print(ShootoutResult result, PrintWriter out) {
        ResultTable table = new ResultTable(out);
        for (int clients : result.clients()) {
            String who = clients == 1 ? "1 client" : clients + " clients";
            table.cells(result, clients, "Responses a second, " + who, Sample::rate);
            table.cells(result, clients, "Processor time of a response in microseconds, " + who, Sample::cpu);
        }
        if (!result.waiting().isEmpty()) {
            table.waiting(result.waiting());
        }
        table.noise(result);
        out.flush();
    }

    private void cells(ShootoutResult result, int clients, String title, ToDoubleFunction<Sample> figure) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(""));
        result.workloads().forEach(workload -> head.add(workload.title()));
        rows.add(head);
        for (Contestant contestant : result.contestants()) {
            List<String> row = new ArrayList<>(List.of(contestant.name()));
            for (Workload workload : result.workloads()) {
                row.add(Figures.number(
                        result.cell(contestant, workload, clients).median(figure)));
            }
            rows.add(row);
        }
        print(title, rows);
    }

    private void waiting(List<Waiting> waiting) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "responses/s", "p99 ms", "threads", "memory MB", "computed/s"));
        for (Waiting each : waiting) {
            rows.add(List.of(
                    each.transport() + (each.isAsync() ? ", asynchronous" : ", synchronous"),
                    Figures.number(each.rate()),
                    Figures.number(each.p99()),
                    each.threads() < 0 ? Figures.UNKNOWN : String.valueOf(each.threads()),
                    Figures.megabytes(each.memory()),
                    Figures.number(each.computed())));
        }
        print(
                waiting.get(0).clients() + " clients wait for a back end that takes " + WaitingRounds.BACK_END_MILLIS
                        + " ms; or " + WaitingRounds.COMPUTING_CLIENTS + " have something computed",
                rows);
    }

    private void noise(ShootoutResult result) {
        out.println();
        out.println("Other programs took " + Figures.percent(result.others())
                + " of the processors, the servers' compilers " + Figures.percent(result.compilers())
                + " of one; rounds differed by " + Figures.percent(result.spread()) + " (medians).");
        long failures =
                result.cells().stream().mapToLong(ShootoutResult.Cell::failures).sum();
        if (failures > 0) {
            out.println(failures + " responses had a status other than 200, or broke off.");
        }
    }

    /** The first column to the left, the others to the right. */
    private void print(String title, List<List<String>> rows) {
        out.println();
        out.println(title);
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("  ").append(row.get(0));
            line.append(" ".repeat(widths[0] - row.get(0).length()));
            for (int i = 1; i < columns; i++) {
                line.append(" ".repeat(2 + widths[i] - row.get(i).length())).append(row.get(i));
            }
            out.println(line);
        }
    }
}
