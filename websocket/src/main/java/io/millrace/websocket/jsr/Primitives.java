package io.millrace.websocket.jsr;

import java.util.Map;
import java.util.function.Function;
import javax.websocket.DecodeException;
import org.jspecify.annotations.Nullable;

/** Parses Java's primitive types and their wrappers, in the format of their classes (JSR 356, 4.3 and 4.7). */
final class Primitives {

    private static final Map<Class<?>, Function<String, Object>> PARSERS = Map.ofEntries(
            Map.entry(boolean.class, Boolean::valueOf),
            Map.entry(Boolean.class, Boolean::valueOf),
            Map.entry(byte.class, Byte::valueOf),
            Map.entry(Byte.class, Byte::valueOf),
            Map.entry(char.class, Primitives::character),
            Map.entry(Character.class, Primitives::character),
            Map.entry(short.class, Short::valueOf),
            Map.entry(Short.class, Short::valueOf),
            Map.entry(int.class, Integer::valueOf),
            Map.entry(Integer.class, Integer::valueOf),
            Map.entry(long.class, Long::valueOf),
            Map.entry(Long.class, Long::valueOf),
            Map.entry(float.class, Float::valueOf),
            Map.entry(Float.class, Float::valueOf),
            Map.entry(double.class, Double::valueOf),
            Map.entry(Double.class, Double::valueOf));

    private Primitives() {}

    static boolean isPrimitive(Class<?> type) {
        return PARSERS.containsKey(type);
    }

    /** @throws DecodeException if the text is not a value of that type */
    static Object parse(Class<?> type, String text) throws DecodeException {
        @Nullable Function<String, Object> parser = PARSERS.get(type);
        if (parser == null) {
            throw new IllegalArgumentException(type + " is not a primitive type");
        }
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new DecodeException(text, "not a " + type.getSimpleName(), e);
        }
    }

    private static Object character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("not one character");
        }
        return text.charAt(0);
    }
}
