package io.millrace.standalone.shootout;

import io.millrace.standalone.shootout.ShootoutResult.Cell;
import io.millrace.standalone.shootout.ShootoutResult.Contestant;
import io.millrace.standalone.shootout.ShootoutResult.Sample;
import io.millrace.standalone.shootout.ShootoutResult.Tls;
import io.millrace.standalone.shootout.ShootoutResult.Waiting;
import io.millrace.standalone.shootout.ShootoutResult.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which connector to choose, decided by two figures of each: the processor time of a response, which says how much a machine can serve,
 * and the rate that was reached. The first connector of a list is the one to keep unless another is better by more than chance.
 *
 * @param sentence for people: what to choose and why, or why nobody can tell
 */
record Advice(Verdict verdict, String sentence) {

    enum Verdict {
        /** Other programs, or chance, had too much of a part in the figures. */
        INCONCLUSIVE,
        /** There was one connector of each kind only. */
        ALONE,
        /** The first of a list is as good as any other. */
        KEEP,
        /** At least once, another one is better. */
        CHANGE
    }

    /** How much of the processors other programs may take, and by how much of the median rounds of the same measurement may differ. */
    static final double NOISE_LIMIT = 0.15;

    /** What is slower than the fastest by more than this is not chosen, however little processor time it takes. */
    static final double SLOWER = 0.1;

    /** Differences up to this are nobody's reason to change a configuration. */
    static final double LEAST_GAIN = 0.05;

    /**
     * A connector over all workloads, as geometric means.
     *
     * @param cost processor time of a response; NaN if it is unknown
     * @param rate responses a second
     */
    record Score(String name, double cost, double rate) {}

    /**
     * A decision in a list of connectors.
     *
     * @param chosen of them
     * @param gain the part of the processor time that it saves, compared with the first one; 0 for the first one
     * @param faster how many times as many responses it reached as the first one; 1 for the first one
     */
    record Choice(Score chosen, double gain, double faster) {}

    /**
     * Decides.
     *
     * @param others the part of all processors that other programs took; NaN if it is unknown
     * @param spread by which rounds of the same differed
     */
    static boolean isInconclusive(double others, double spread) {
        return others > NOISE_LIMIT || !(spread <= NOISE_LIMIT);
    }

    /**
     * Decides.
     *
     * @param scores the one to keep first; not empty
     * @param spread by which rounds of the same differed: smaller differences are chance
     */
    static Choice choose(List<Score> scores, double spread) {
        Score first = scores.get(0);
        boolean costsAreKnown = scores.stream().noneMatch(score -> Double.isNaN(score.cost));
        double fastest = scores.stream().mapToDouble(Score::rate).max().orElseThrow();
        List<Score> fast = scores.stream()
                .filter(score -> score.rate >= fastest * (1 - SLOWER))
                .toList();
        Comparator<Score> order = costsAreKnown
                ? Comparator.comparingDouble(Score::cost)
                : Comparator.comparingDouble((Score score) -> -score.rate);
        Score best = fast.stream().min(order).orElseThrow();
        double margin = Math.max(LEAST_GAIN, spread);
        boolean isWorthIt = costsAreKnown && first.cost * (1 - margin) > best.cost;
        if (fast.contains(first) && !isWorthIt) {
            return new Choice(first, 0, 1);
        }
        return new Choice(best, costsAreKnown ? 1 - best.cost / first.cost : 0, best.rate / first.rate);
    }

    /** Decides by all figures. */
    static Advice of(ShootoutResult result) {
        double others = result.others();
        double spread = result.spread();
        if (isInconclusive(others, spread)) {
            return new Advice(Verdict.INCONCLUSIVE, inconclusive(others, spread, result.compilers()));
        }
        List<String> sentences = new ArrayList<>();
        boolean changes = false;
        boolean isAlone = true;
        for (boolean encrypted : new boolean[] {false, true}) {
            List<Contestant> group = result.contestants().stream()
                    .filter(each -> each.transport() != null && each.tls().isEncrypted() == encrypted)
                    .toList();
            if (group.isEmpty()) {
                continue;
            }
            String place = encrypted ? "With TLS" : "Without TLS";
            if (group.size() == 1) {
                sentences.add(place + " only " + group.get(0).name() + " was measured, so there is nothing to choose.");
                continue;
            }
            isAlone = false;
            List<Score> scores = scores(result, group, workload -> true);
            Choice choice = choose(scores, spread);
            changes |= !choice.chosen.equals(scores.get(0));
            sentences.add(place + " use " + named(choice.chosen, group) + ": " + reason(choice, scores) + ".");
            sentences.addAll(exceptions(result, group, choice.chosen, spread));
            sentences.addAll(beside(result, encrypted, choice.chosen));
        }
        Verdict verdict = isAlone ? Verdict.ALONE : changes ? Verdict.CHANGE : Verdict.KEEP;
        return new Advice(verdict, String.join(" ", sentences));
    }

    private static String inconclusive(double others, double spread, double compilers) {
        String limit = " (limit: " + Figures.percent(NOISE_LIMIT) + ")";
        if (others > NOISE_LIMIT) {
            return "The machine was too busy to tell which connector to choose: other programs took "
                    + Figures.percent(others) + " of the processors" + limit + ". Stop them, and measure again.";
        }
        if (Double.isNaN(spread)) {
            return "The result is inconclusive: a measurement had no responses.";
        }
        return "The result is inconclusive: rounds of the same measurement differed by " + Figures.percent(spread)
                + limit
                + ", with " + (Double.isNaN(others) ? "an unknown part" : Figures.percent(others))
                + " of the processors taken by other programs, and "
                + (Double.isNaN(compilers) ? "an unknown part" : Figures.percent(compilers))
                + " of one by the servers' compilers. Measure longer, as by --seconds 5 --rounds 5.";
    }

    /** With the attribute that selects the TLS implementation. */
    private static String named(Score score, List<Contestant> group) {
        Contestant contestant = group.stream()
                .filter(each -> each.name().equals(score.name))
                .findFirst()
                .orElseThrow();
        String transport = String.valueOf(contestant.transport());
        return contestant.tls() == Tls.PLAIN
                ? transport
                : transport + " with " + contestant.tls().title() + " (protocol=\"" + transport
                        + "\" sslImplementation=\"" + contestant.tls().word() + "\")";
    }

    private static String reason(Choice choice, List<Score> scores) {
        Score first = scores.get(0);
        if (!choice.chosen.equals(first)) {
            return choice.gain >= LEAST_GAIN
                    ? "a response takes " + Figures.percent(choice.gain) + " less processor time than with "
                            + first.name
                    : "it serves " + Figures.percent(choice.faster - 1) + " more responses a second than " + first.name;
        }
        String others = scores.stream()
                .skip(1)
                .map(score -> score.name + " "
                        + (Double.isNaN(score.cost)
                                ? times(score.rate / first.rate) + " the rate"
                                : times(score.cost / first.cost)))
                .collect(Collectors.joining(", "));
        return "no other takes noticeably less processor time for a response (" + others + ")";
    }

    private static String times(double factor) {
        return String.format(Locale.ROOT, "%.2f ×", factor);
    }

    /** The workload for which another choice saves the most, if there is one. */
    private static List<String> exceptions(ShootoutResult result, List<Contestant> group, Score chosen, double spread) {
        String sentence = "";
        double most = 0;
        for (Workload workload : result.workloads()) {
            List<Score> scores = new ArrayList<>(scores(result, group, workload::equals));
            scores.sort(
                    Comparator.comparing(score -> !score.name.equals(chosen.name))); // what is kept is what was chosen
            Choice choice = choose(scores, spread);
            if (choice.gain > most && result.workloads().size() > 1) {
                most = choice.gain;
                sentence = "For " + (workload.size() < 0 ? "the " + workload.title() : "files of " + workload.title())
                        + " " + choice.chosen.name + " takes " + Figures.percent(choice.gain) + " less.";
            }
        }
        return sentence.isEmpty() ? List.of() : List.of(sentence);
    }

    /** What the servers take that the product did not start. */
    private static List<String> beside(ShootoutResult result, boolean encrypted, Score chosen) {
        List<Contestant> group = result.contestants().stream()
                .filter(each -> each.transport() == null && each.tls().isEncrypted() == encrypted)
                .toList();
        String all = scores(result, group, workload -> true).stream()
                .filter(score -> !Double.isNaN(score.cost))
                .map(score -> score.name + " " + times(score.cost / chosen.cost))
                .collect(Collectors.joining(", "));
        return all.isEmpty()
                ? List.of()
                : List.of("Compared with it, a response takes " + all + " the processor time.");
    }

    private static List<Score> scores(ShootoutResult result, List<Contestant> group, Predicate<Workload> which) {
        return group.stream().map(each -> score(result, each, which)).toList();
    }

    private static Score score(ShootoutResult result, Contestant contestant, Predicate<Workload> which) {
        List<Cell> cells = result.cells().stream()
                .filter(cell -> cell.contestant().equals(contestant) && which.test(cell.workload()))
                .toList();
        double cost = mean(
                cells.stream().mapToDouble(cell -> cell.median(Sample::cpu)).toArray());
        double rate = mean(
                cells.stream().mapToDouble(cell -> cell.median(Sample::rate)).toArray());
        return new Score(contestant.name(), cost, rate);
    }

    private static double mean(double... values) {
        double sum = 0;
        for (double value : values) {
            sum += Math.log(value);
        }
        return Math.exp(sum / values.length);
    }

    /** What many waiting requests cost with each kind of servlet; empty if that was not measured, or the result is inconclusive. */
    static String ofWaiting(ShootoutResult result) {
        List<Waiting> waiting = result.waiting();
        if (waiting.size() < 2 || isInconclusive(result.others(), result.spread())) {
            return "";
        }
        Waiting sync = waiting.get(0);
        Waiting async = waiting.get(1);
        String threads = sync.threads() < 0 || async.threads() < 0
                ? ""
                : " with " + async.threads() + " threads instead of " + sync.threads();
        return async.rate() > sync.rate() * (1 + LEAST_GAIN)
                ? String.format(
                        Locale.ROOT,
                        "Where %,d requests wait at the same time, asynchronous servlets on %s serve %.1f times as many%s.",
                        sync.clients(),
                        sync.transport(),
                        async.rate() / sync.rate(),
                        threads)
                : String.format(
                        Locale.ROOT,
                        "Where %,d requests wait at the same time, synchronous servlets on %s serve as many as asynchronous"
                                + " ones%s.",
                        sync.clients(),
                        sync.transport(),
                        threads.replace(" with ", ", which do it with "));
    }
}
