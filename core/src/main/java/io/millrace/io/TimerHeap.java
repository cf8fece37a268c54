package io.millrace.io;

import io.millrace.io.Timers.OneTimer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Timers ordered by deadline: a binary heap in which each timer knows its index, so that cancelling one takes
 * logarithmic time. Not thread-safe.
 */
final class TimerHeap {

    private @Nullable OneTimer[] timers = new OneTimer[16];
    private int size;

    @Nullable
    OneTimer first() {
        return timers[0];
    }

    void add(OneTimer timer) {
        if (size == timers.length) {
            timers = Arrays.copyOf(timers, 2 * size);
        }
        siftUp(timer, size++);
    }

    /** Does nothing if the timer is not in the heap. */
    void remove(OneTimer timer) {
        int hole = timer.index;
        if (hole < 0) {
            return;
        }
        timer.index = -1;
        OneTimer last = timers[--size];
        timers[size] = null;
        if (last != null && last != timer) {
            siftDown(last, hole);
            siftUp(last, last.index);
        }
    }

    private void siftUp(OneTimer timer, int from) {
        int index = from;
        while (index > 0) {
            OneTimer parent = timers[(index - 1) / 2];
            if (parent == null || parent.deadline - timer.deadline <= 0) {
                break;
            }
            put(parent, index);
            index = (index - 1) / 2;
        }
        put(timer, index);
    }

    private void siftDown(OneTimer timer, int from) {
        int index = from;
        while (true) {
            OneTimer child = earlierChild(index);
            if (child == null || timer.deadline - child.deadline <= 0) {
                put(timer, index);
                return;
            }
            int below = child.index;
            put(child, index);
            index = below;
        }
    }

    private @Nullable OneTimer earlierChild(int index) {
        int left = 2 * index + 1;
        if (left >= size) {
            return null;
        }
        OneTimer one = timers[left];
        OneTimer other = left + 1 < size ? timers[left + 1] : null;
        return one != null && other != null && other.deadline - one.deadline < 0 ? other : one;
    }

    private void put(OneTimer timer, int index) {
        timers[index] = timer;
        timer.index = index;
    }
}
