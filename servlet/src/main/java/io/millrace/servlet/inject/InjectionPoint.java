package io.millrace.servlet.inject;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A JNDI name that a class requires, and the member into which it is injected.
 *
 * @param where description, for messages
 * @param member a field or a setter; null if the class only declares the name
 * @param type the required type
 * @param name the absolute name, beginning with {@code java:}
 * @param lookup the name of which {@link #name} is an alias if it is not bound
 * @param text the value of an env-entry without type
 */
record InjectionPoint(
        String where,
        @Nullable AccessibleObject member,
        Class<?> type,
        String name,
        @Nullable String lookup,
        @Nullable String text,
        Absence absence) {

    /** What happens if the name is not bound. */
    enum Absence {
        FAILS,
        /** An env-entry without value does not change the member (Java EE 7, EE.5.4.1.3). */
        KEEPS,
        /** Like KEEPS, for a field of a simple type that its initializer has set. */
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

    /** Whether the name need not be bound. */
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

    /** The cause, without the exception of reflection. */
    static Throwable cause(ReflectiveOperationException thrown) {
        Throwable cause = thrown instanceof InvocationTargetException ? thrown.getCause() : null;
        return cause == null ? thrown : cause;
    }
}
