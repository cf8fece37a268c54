package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The native memory of a pollset's sockets. The kernel's events point to slots, so their memory stays valid as long as the
 * pollset; a slot also has the arguments and results of calls on its socket, which therefore allocate nothing. An event has
 * the slot's index and generation: one that was reported before the slot was released finds no socket.
 *
 * <p>Confined to the polling thread.
 */
final class Slots {

    /** Offsets in a slot: an apr_pollfd_t, then lengths and pointers, then iovecs. */
    static final long RECEIVED = 32;

    static final long SENT = 40;
    static final long FILE_OFFSET = 48;
    static final long FILE = 56;
    static final long DESCRIPTOR = 64;
    static final long IOVECS = 72;

    /** The most buffers of one call. */
    static final int MAX_IOVECS = 8;

    private static final long SIZE = IOVECS + MAX_IOVECS * 16;
    private static final int SLOTS_PER_BLOCK = 128;

    private final Arena arena;
    private final List<MemorySegment> blocks = new ArrayList<>();
    private @Nullable AprSocket[] sockets = new AprSocket[0];
    private int[] generations = new int[0];
    private int[] free = new int[0];
    private int freeCount;

    Slots(Arena arena) {
        this.arena = arena;
    }

    int acquire(AprSocket socket) {
        if (freeCount == 0) {
            grow();
        }
        int index = free[--freeCount];
        sockets[index] = socket;
        return index;
    }

    /** The memory of a slot, which contains its index and generation. */
    MemorySegment memory(int index) {
        MemorySegment memory = blocks.get(index / SLOTS_PER_BLOCK).asSlice(index % SLOTS_PER_BLOCK * SIZE, SIZE);
        memory.set(JAVA_LONG, Layouts.POLLFD_CLIENT_DATA, (long) generations[index] << 32 | index);
        return memory;
    }

    void release(int index) {
        sockets[index] = null;
        generations[index]++;
        free[freeCount++] = index;
    }

    /** The socket of a slot; null if the slot was released meanwhile. */
    @Nullable
    AprSocket find(long key) {
        int index = (int) key;
        return generations[index] == (int) (key >>> 32) ? sockets[index] : null;
    }

    boolean areAllFree() {
        return freeCount == free.length;
    }

    private void grow() {
        int before = sockets.length;
        blocks.add(arena.allocate(SIZE * SLOTS_PER_BLOCK, Long.BYTES));
        sockets = Arrays.copyOf(sockets, before + SLOTS_PER_BLOCK);
        generations = Arrays.copyOf(generations, before + SLOTS_PER_BLOCK);
        free = Arrays.copyOf(free, before + SLOTS_PER_BLOCK);
        for (int index = before + SLOTS_PER_BLOCK - 1; index >= before; index--) {
            free[freeCount++] = index;
        }
    }
}
