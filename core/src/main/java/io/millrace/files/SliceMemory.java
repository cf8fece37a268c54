package io.millrace.files;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A buddy allocator of direct memory for cached contents. It allocates regions of one mebibyte, and divides them into slices of
 * 1 KiB to 1 MiB, each a power of two: a content of 5 KiB takes a slice of 4 KiB and one of 1 KiB. A freed slice is merged with its
 * free buddy, which limits fragmentation. An allocation succeeds whenever enough bytes are free: if there is no slice of a size,
 * two of half the size take its place.
 */
final class SliceMemory {

    private static final int UNIT = 1024;

    /** 1 KiB × 2^10: the size of a region, and of the largest slice. */
    private static final int TOP = 10;

    private final int maxRegions;

    /** The remaining bytes for contents in other codings, which are on the heap; limited like the direct memory. */
    private final AtomicLong encoded;

    // all below: guarded by this
    private final List<ByteBuffer> regions = new ArrayList<>();
    /** The starts of the free slices of each order, in units; the lowest first. */
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
     * @param order the size is 1 KiB × 2^order
     * @param memory the whole slice; must be duplicated before its position is changed
     */
    record Slice(int start, int order, ByteBuffer memory) {}

    /** Slices for this number of bytes, the largest first; null if there is too little free memory. */
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

    /** Frees slices that are no longer read. */
    synchronized void free(List<Slice> slices) {
        for (Slice slice : slices) {
            freeUnits += 1L << slice.order();
            merge(slice.start(), slice.order());
        }
    }

    AtomicLong encoded() {
        return encoded;
    }

    /** The number of allocated bytes. */
    synchronized long used() {
        return ((long) regions.size() << TOP) * UNIT - freeUnits * UNIT;
    }

    private boolean grow() {
        if (regions.size() >= maxRegions) {
            return false;
        }
        try {
            regions.add(ByteBuffer.allocateDirect(UNIT << TOP));
        } catch (OutOfMemoryError exhausted) {
            return false; // the cache uses the memory that it has
        }
        free.get(TOP).add(regions.size() - 1 << TOP);
        freeUnits += 1L << TOP;
        return true;
    }

    /** Takes one slice of this order, or smaller ones of the same total size. Enough must be free. */
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

    /** Frees all of a slice but its beginning. */
    private void split(int start, int from, int to) {
        for (int order = from - 1; order >= to; order--) {
            free.get(order).add(start + (1 << order));
        }
    }

    private void merge(int start, int order) {
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
