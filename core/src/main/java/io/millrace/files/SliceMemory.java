package io.millrace.files;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Direct memory for cached contents, taken from the system a mebibyte at a time and given out in slices of 1 KiB to 1 MiB,
 * each a power of two: a content of 5 KiB takes one of 4 and one of 1. A slice that is given back joins its neighbour
 * (the buddy system), so that memory that was used does not crumble. As long as enough is free, something fits: a slice
 * that is not there is two of half its size.
 */
final class SliceMemory {

    private static final int UNIT = 1024;

    /** 1 KiB × 2^10: the size of a region, and of the largest slice. */
    private static final int TOP = 10;

    private final int maxRegions;

    /** Bytes left for what contents are in other codings: on the heap, but no more than there is memory for contents. */
    private final AtomicLong encoded;

    // all below: guarded by this
    private final List<ByteBuffer> regions = new ArrayList<>();
    /** The free slices of each size, by where they begin, in units; the lowest first. */
    private final List<TreeSet<Integer>> free = new ArrayList<>();

    private long freeUnits;

    SliceMemory(long maxBytes) {
        encoded = new AtomicLong(maxBytes);
        maxRegions = (int) Math.min(Integer.MAX_VALUE >> TOP, (maxBytes + (UNIT << TOP) - 1) / (UNIT << TOP));
        for (int i = 0; i <= TOP; i++) {
            free.add(new TreeSet<>());
        }
    }

    /**
     * A slice.
     *
     * @param start in units
     * @param order its size is 1 KiB × 2^order
     * @param memory all of it, to be duplicated by whoever moves a position
     */
    record Slice(int start, int order, ByteBuffer memory) {}

    /** Slices with room for so many bytes, the largest first; null if so much is not free. */
    @Nullable
    List<Slice> allocate(long bytes) {
        long units = (bytes + UNIT - 1) / UNIT;
        List<Slice> slices = new ArrayList<>(4);
        synchronized (this) {
            while (freeUnits < units) {
                if (!grow()) {
                    return null;
                }
            }
            for (long left = units; left > 0; ) {
                int order = Math.min(TOP, Long.SIZE - 1 - Long.numberOfLeadingZeros(left));
                take(order, slices);
                left -= 1L << order;
            }
        }
        return slices;
    }

    /** Gives slices back that are not read any more. */
    synchronized void free(List<Slice> slices) {
        for (Slice slice : slices) {
            freeUnits += 1L << slice.order();
            join(slice.start(), slice.order());
        }
    }

    AtomicLong encoded() {
        return encoded;
    }

    /** Bytes given out; for tests. */
    synchronized long used() {
        return ((long) regions.size() << TOP) * UNIT - freeUnits * UNIT;
    }

    private boolean grow() {
        if (regions.size() >= maxRegions) {
            return false;
        }
        try {
            regions.add(ByteBuffer.allocateDirect(UNIT << TOP));
        } catch (OutOfMemoryError tooLittle) {
            return false; // the cache makes do with what it has
        }
        free.get(TOP).add(regions.size() - 1 << TOP);
        freeUnits += 1L << TOP;
        return true;
    }

    /** One slice of this size, or several that make it up. Only if as much is free. */
    private void take(int order, List<Slice> slices) {
        for (int larger = order; larger <= TOP; larger++) {
            Integer start = free.get(larger).pollFirst();
            if (start != null) {
                split(start, larger, order);
                freeUnits -= 1L << order;
                slices.add(new Slice(start, order, memory(start, order)));
                return;
            }
        }
        take(order - 1, slices);
        take(order - 1, slices);
    }

    /** Keeps the beginning of a slice, frees the rest. */
    private void split(int start, int from, int to) {
        for (int order = from - 1; order >= to; order--) {
            free.get(order).add(start + (1 << order));
        }
    }

    private void join(int start, int order) {
        int at = start;
        int size = order;
        while (size < TOP && free.get(size).remove(at ^ 1 << size)) {
            at &= ~(1 << size);
            size++;
        }
        free.get(size).add(at);
    }

    private ByteBuffer memory(int start, int order) {
        int within = start & (1 << TOP) - 1;
        return regions.get(start >> TOP).slice(within * UNIT, UNIT << order);
    }
}
