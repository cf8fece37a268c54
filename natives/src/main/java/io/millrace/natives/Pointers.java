package io.millrace.natives;

import java.lang.foreign.MemorySegment;

/** Access to memory that a native library owns. */
public final class Pointers {

    private Pointers() {}

    /**
     * A segment of this many bytes at an address that a library returned; the memory must remain valid as long as the
     * segment is used.
     */
    @SuppressWarnings("restricted") // called only here and in NativeLibrary
    public static MemorySegment at(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }
}
