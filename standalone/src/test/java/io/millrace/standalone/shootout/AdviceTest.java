package io.millrace.standalone.shootout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.shootout.Advice.Choice;
import io.millrace.standalone.shootout.Advice.Score;
import io.millrace.standalone.shootout.Advice.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The advice of a shoot-out … */
final class AdviceTest {

    private static final double[] COSTS = {0.5, 0.89, 0.94, 0.951, 1, 1.06, 2};
    private static final double[] RATES = {0.5, 0.89, 0.91, 1, 1.05, 1.12, 2};
    private static final double[] SPREADS = {0, 0.04, 0.05, 0.1, 0.15};

    /** All that three connectors can have in relation to each other: the first one has cost and rate 1. */
    @Test
    void choosesTheCheapestOfTheFastAndKeepsTheFirstUnlessTheGainIsMoreThanChance() {
        for (double spread : SPREADS) {
            for (double costA : COSTS) {
                for (double rateA : RATES) {
                    for (double costB : COSTS) {
                        for (double rateB : RATES) {
                            check(
                                    List.of(score("first", 1, 1), score("a", costA, rateA), score("b", costB, rateB)),
                                    spread);
                        }
                    }
                }
            }
        }
    }

    private static void check(List<Score> scores, double spread) {
        Choice choice = Advice.choose(scores, spread);
        Score chosen = choice.chosen();
        double fastest = scores.stream().mapToDouble(Score::rate).max().orElseThrow();
        String all = scores + ", spread " + spread + ": " + choice;
        assertTrue(chosen.rate() >= fastest * 0.9, all);
        Score first = scores.get(0);
        double least = Math.max(0.05, spread);
        for (Score other : scores) {
            boolean isFast = other.rate() >= fastest * 0.9;
            if (chosen.equals(first)) {
                assertTrue(!isFast || other.cost() >= 1 - least, all);
            } else {
                assertTrue(!isFast || other.cost() >= chosen.cost(), all);
            }
        }
        if (!chosen.equals(first)) {
            assertTrue(chosen.cost() < 1 - least || first.rate() < fastest * 0.9, all);
            assertEquals(1 - chosen.cost(), choice.gain(), 1e-9, all);
            assertEquals(chosen.rate(), choice.faster(), 1e-9, all);
        } else {
            assertEquals(0, choice.gain(), all);
            assertEquals(1, choice.faster(), all);
        }
    }

    @Test
    void goesByTheRateWhereProcessorTimeIsUnknown() {
        for (double rate : RATES) {
            Choice choice = Advice.choose(List.of(score("first", Double.NaN, 1), score("a", Double.NaN, rate)), 0);
            assertEquals(1 >= rate * 0.9 ? "first" : "a", choice.chosen().name(), "rate " + rate);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, false",
        "0.15, 0.15, false",
        "0.151, 0, true",
        "0, 0.151, true",
        "NaN, 0.1, false",
        "NaN, 0.2, true",
        "0, NaN, true",
        "0.9, 0.9, true"
    })
    void isNotGivenByABusyMachine(double others, double spread, boolean isBusy) {
        assertEquals(isBusy, Advice.isInconclusive(others, spread));
    }

    @Test
    void namesTheConnectorAndTheReason() {
        Advice advice = Advice.of(SampleResult.of(0.02, 1.05));
        assertEquals(Verdict.CHANGE, advice.verdict(), advice.sentence());
        assertEquals(
                "Without TLS use nio: no other takes noticeably less processor time for a response (bio 1.50 ×). With TLS use"
                        + " nio with OpenSSL (protocol=\"nio\" sslImplementation=\"openssl\"): a response takes 40 % less"
                        + " processor time than with nio JSSE.",
                advice.sentence());
    }

    @Test
    void saysWhyNobodyCanTell() {
        Advice others = Advice.of(SampleResult.of(0.4, 1.05));
        assertEquals(Verdict.INCONCLUSIVE, others.verdict());
        assertTrue(others.sentence().contains("other programs took 40 % of the processors"), others.sentence());
        Advice rounds = Advice.of(SampleResult.of(0.02, 1.5));
        assertEquals(Verdict.INCONCLUSIVE, rounds.verdict());
        assertEquals(
                "The result is inconclusive: rounds of the same measurement differed by 50 % (limit: 15 %), with 2 % of the processors"
                        + " taken by other programs, and 1 % of one by the servers' compilers. Measure longer, as by --seconds 5 --rounds 5.",
                rounds.sentence());
    }

    @Test
    void comparesServletsThatWait() {
        assertEquals(
                "Where 1,000 requests wait at the same time, asynchronous servlets on nio serve 4.0 times as many with 30"
                        + " threads instead of 225.",
                Advice.ofWaiting(SampleResult.of(0, 1)));
        assertEquals("", Advice.ofWaiting(SampleResult.of(0.4, 1)));
    }

    private static Score score(String name, double cost, double rate) {
        return new Score(name, cost, rate);
    }
}
