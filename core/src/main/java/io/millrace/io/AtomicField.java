package io.millrace.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Atomic access to volatile fields, for state machines: a plain field and a VarHandle instead of an {@code
 * AtomicReference}, which would add 16 bytes to each object. Keep the handle in a {@code static final} field, so that
 * the JIT compiler treats it as a constant.
 */
public final class AtomicField {

    private AtomicField() {}

    /**
     * A handle for an instance field of the calling class.
     *
     * @param lookup of that class: {@code MethodHandles.lookup()}
     * @param field the field's name
     * @param type the field's type
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
