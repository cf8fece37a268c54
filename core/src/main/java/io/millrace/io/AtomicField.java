package io.millrace.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Atomic access to volatile fields, as state machines need it: an object has a plain field instead of an {@code
 * AtomicReference}, which would cost it 16 bytes. Keep the handle in a {@code static final} field, so that the compiler can
 * treat it as a constant.
 */
public final class AtomicField {

    private AtomicField() {}

    /**
     * A handle for a field of the class that looks it up.
     *
     * @param lookup of that class, {@code MethodHandles.lookup()}
     * @throws IllegalArgumentException if the class has no such field of this type
     */
    public static VarHandle of(MethodHandles.Lookup lookup, String field, Class<?> type) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), field, type);
        } catch (ReflectiveOperationException unknown) {
            throw new IllegalArgumentException(
                    lookup.lookupClass().getName() + " has no field " + field + " of type " + type.getName(), unknown);
        }
    }
}
