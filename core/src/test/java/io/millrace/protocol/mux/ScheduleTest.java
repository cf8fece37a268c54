package io.millrace.protocol.mux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ScheduleTest {

    private final Schedule schedule = new Schedule();

    private static final class Entry extends Schedule.Entry {
        final String name;

        Entry(String name, int urgency, boolean incremental) {
            super(Priority.of(urgency, incremental));
            this.name = name;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private Entry ready(String name, int urgency, boolean incremental) {
        Entry entry = new Entry(name, urgency, incremental);
        schedule.ready(entry);
        return entry;
    }

    private String order(int frames) {
        StringBuilder order = new StringBuilder();
        for (int i = 0; i < frames; i++) {
            Schedule.Entry next = schedule.next();
            order.append(next);
            if (next != null) {
                schedule.sent(next);
            }
        }
        return order.toString();
    }

    @Test
    void waitsForNobodyAtFirst() {
        assertTrue(schedule.isEmpty());
        assertNull(schedule.next());
    }

    @Test
    void thoseThatTakeTurnsTakeTurns() {
        ready("a", 3, true);
        ready("b", 3, true);
        ready("c", 3, true);

        assertEquals("abcabcabc", order(9));
    }

    @Test
    void thoseThatFollowOneAnotherDoSo() {
        Entry first = ready("a", 3, false);
        ready("b", 3, false);

        assertEquals("aaa", order(3));
        schedule.sentLast(first);
        assertEquals("bbb", order(3));
    }

    @Test
    void theTwoKindsOfOneUrgencyAlternate() {
        ready("a", 3, false);
        ready("b", 3, false);
        ready("x", 3, true);
        ready("y", 3, true);

        assertEquals("axayaxay", order(8));
    }

    @Test
    void theUrgentGoFirstAndTheOthersGetOneFrameInSixteenByTurns() {
        ready("u", 0, true);
        ready("m", 3, true);
        ready("l", 7, true);

        assertEquals("uuuuuuuuuuuuuuumuuuuuuuuuuuuuuuluuuuuuuuuuuuuuum", order(48));
    }

    @Test
    void whoIsRemovedOrMovedLeavesItsPlace() {
        Entry a = ready("a", 3, true);
        Entry b = ready("b", 3, true);
        Entry c = ready("c", 3, true);

        schedule.remove(a);
        schedule.remove(a);
        assertFalse(a.isScheduled());
        assertEquals("bcbc", order(4));
        schedule.move(c, Priority.of(0, false));
        assertEquals("ccc", order(3));
        schedule.move(a, Priority.of(1, true));
        assertFalse(a.isScheduled());
        schedule.sentLast(c);
        schedule.sentLast(b);
        assertTrue(schedule.isEmpty());
    }

    @Test
    void aNewcomerKnowsWhetherSomebodyGoesBefore() {
        ready("a", 3, true);

        assertTrue(schedule.hasAnyBefore(Priority.of(3, false)));
        assertTrue(schedule.hasAnyBefore(Priority.of(4, true)));
        assertFalse(schedule.hasAnyBefore(Priority.of(2, true)));
    }

    @Test
    void nobodyStarvesAndNobodyIsLostWhateverHappens() {
        Random random = new Random(64);
        List<Entry> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(new Entry("e" + i, random.nextInt(8), true));
        }
        Set<Entry> waiting = new HashSet<>();
        for (int round = 0; round < 100_000; round++) {
            Entry entry = all.get(random.nextInt(all.size()));
            switch (random.nextInt(4)) {
                case 0 -> {
                    schedule.ready(entry);
                    waiting.add(entry);
                }
                case 1 -> {
                    schedule.remove(entry);
                    waiting.remove(entry);
                }
                case 2 -> schedule.move(entry, Priority.of(random.nextInt(8), random.nextBoolean()));
                default -> {
                    Schedule.Entry next = schedule.next();
                    assertEquals(waiting.isEmpty(), next == null);
                    if (next != null) {
                        assertTrue(waiting.contains((Entry) next));
                        schedule.sent(next);
                    }
                }
            }
        }
        for (Entry each : all) {
            schedule.move(each, Priority.of(each.priority.urgency(), true));
        }
        Set<Schedule.Entry> served = Collections.newSetFromMap(new java.util.IdentityHashMap<>());
        for (int i = 0; i < 16 * 8 * 40; i++) {
            Schedule.Entry next = schedule.next();
            if (next != null) {
                served.add(next);
                schedule.sent(next);
            }
        }
        assertEquals(waiting.size(), served.size());
    }
}
