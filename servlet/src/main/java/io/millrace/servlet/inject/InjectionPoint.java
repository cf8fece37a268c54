package io.millrace.servlet.inject;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A name that a class asks for, and where it goes.
 *
 * @param where for messages
 * @param member a field or a setter; null if the class only declares that it looks the name up
 * @param type what is expected
 * @param name absolute, beginning with {@code java:}
 * @param lookup another name that {@link #name} stands for if it is not bound
 * @param text the value itself, of an env-entry that does not say its type
 */
record InjectionPoint(
        String where,
        @Nullable AccessibleObject member,
        Class<?> type,
        String name,
        @Nullable String lookup,
        @Nullable String text,
        Absence absence) {

    /** What follows if there is nothing of this name. */
    enum Absence {
        FAILS,
        /** Java EE 7, EE.5.4.1.3: an env-entry without a value leaves the member as it is. */
        KEEPS,
        /** The same for a field of a simple type, if its initializer gave it a value. */
        KEEPS_IF_SET
    }

    void set(Object component, Object value) throws ReflectiveOperationException {
        if (member instanceof Field field) {
            field.setAccessible(true);
            field.set(component, value);
        } else if (member instanceof Method setter) {
            setter.setAccessible(true);
            setter.invoke(component, value);
        }
    }

    /** True if the component can do without it. */
    boolean mayBeAbsent(Object component) throws ReflectiveOperationException {
        return switch (absence) {
            case FAILS -> false;
            case KEEPS -> true;
            case KEEPS_IF_SET -> member instanceof Field field && isSet(field, component);
        };
    }

    private static boolean isSet(Field field, Object component) throws IllegalAccessException {
        field.setAccessible(true);
        Object value = field.get(component);
        if (value instanceof Number number) {
            return number.doubleValue() != 0;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        return value != null && !value.equals('\0');
    }

    /** The reason, without the wrapping that reflection gives it. */
    static Throwable cause(ReflectiveOperationException thrown) {
        Throwable cause = thrown instanceof InvocationTargetException ? thrown.getCause() : null;
        return cause == null ? thrown : cause;
    }
}
