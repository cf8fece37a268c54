package io.millrace.servlet.inject;

import java.util.Map;
import java.util.Set;

/** The types an env-entry can have (Java EE 7, EE.5.4.1). */
final class SimpleType {

    private static final Map<Class<?>, Class<?>> BOXES = Map.of(
            boolean.class, Boolean.class,
            byte.class, Byte.class,
            char.class, Character.class,
            short.class, Short.class,
            int.class, Integer.class,
            long.class, Long.class,
            float.class, Float.class,
            double.class, Double.class);

    private static final Set<Class<?>> OTHERS = Set.of(String.class, Class.class);

    private SimpleType() {}

    static boolean is(Class<?> type) {
        return type.isEnum() || OTHERS.contains(type) || BOXES.containsKey(type) || BOXES.containsValue(type);
    }

    /** The type's name in descriptors. */
    static String name(Class<?> type) {
        return BOXES.getOrDefault(type, type).getName();
    }
}
