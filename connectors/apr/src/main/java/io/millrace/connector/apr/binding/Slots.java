package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The native memory of a pollset's sockets. A slot has what the kernel's events point to, so its memory stays valid for as
 * long as the pollset; and it has what goes in and out of calls on its socket, so that they allocate nothing. An event names
 * its slot with a generation: one that was reported before the slot changed hands finds nobody.
 *
 * <p>For the polling thread alone.
 */
final class Slots {

    /** Where things are in a slot: an apr_pollfd_t, then lengths and pointers, then iovecs. */
    static final long RECEIVED = 32;

    static final long SENT = 40;
    static final long FILE_OFFSET = 48;
    static final long FILE = 56;
    static final long DESCRIPTOR = 64;
    static final long IOVECS = 72;

    /** How many buffers one call sends. */
    static final int MOST_IOVECS = 8;

    private static final long SIZE = IOVECS + MOST_IOVECS * 16;
    private static final int IN_A_BLOCK = 128;

    private final Arena arena;
    private final List<MemorySegment> blocks = new ArrayList<>();
    private @Nullable AprSocket[] sockets = new AprSocket[0];
    private int[] generations = new int[0];
    private int[] free = new int[0];
    private int freeCount;

    Slots(Arena arena) {
        this.arena = arena;
    }

    int take(AprSocket socket) {
        if (freeCount == 0) {
            grow();
        }
        int index = free[--freeCount];
        sockets[index] = socket;
        return index;
    }

    /** The memory of a slot, with its name in it. */
    MemorySegment memory(int index) {
        MemorySegment memory = blocks.get(index / IN_A_BLOCK).asSlice(index % IN_A_BLOCK * SIZE, SIZE);
        memory.set(JAVA_LONG, Layouts.POLLFD_CLIENT_DATA, (long) generations[index] << 32 | index);
        return memory;
    }

    void giveBack(int index) {
        sockets[index] = null;
        generations[index]++;
        free[freeCount++] = index;
    }

    /** Whose slot it is; null if it changed hands since. */
    @Nullable
    AprSocket find(long name) {
        int index = (int) name;
        return generations[index] == (int) (name >>> 32) ? sockets[index] : null;
    }

    boolean areAllFree() {
        return freeCount == free.length;
    }

    private void grow() {
        int before = sockets.length;
        blocks.add(arena.allocate(SIZE * IN_A_BLOCK, Long.BYTES));
        sockets = Arrays.copyOf(sockets, before + IN_A_BLOCK);
        generations = Arrays.copyOf(generations, before + IN_A_BLOCK);
        free = Arrays.copyOf(free, before + IN_A_BLOCK);
        for (int index = before + IN_A_BLOCK - 1; index >= before; index--) {
            free[freeCount++] = index;
        }
    }
}
