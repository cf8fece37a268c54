package io.millrace.natives;

import java.lang.foreign.MemorySegment;

/** Memory that a library owns. */
public final class Pointers {

    private Pointers() {}

    /** So many bytes at an address that a library gave: they must be there for as long as the segment is used. */
    @SuppressWarnings("restricted") // here alone, and where functions are found
    public static MemorySegment at(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }
}
