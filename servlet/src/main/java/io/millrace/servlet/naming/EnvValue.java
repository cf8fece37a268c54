package io.millrace.servlet.naming;

import org.jspecify.annotations.Nullable;

/** The value of an env-entry or an Environment element (Java EE 7, EE.5.4). */
public final class EnvValue {

    private EnvValue() {}

    /**
     * Of the type that is named.
     *
     * @param type null: String
     * @throws IllegalArgumentException if the text is no such value, or no value has such a type
     * @throws ClassNotFoundException if the text names no class, or the type is an enum that is not there
     */
    public static Object of(@Nullable String type, String text, ClassLoader application) throws ClassNotFoundException {
        String simple = type == null ? "String" : type.startsWith("java.lang.") ? type.substring(10) : type;
        return switch (simple) {
            case "String" -> text;
            case "Boolean", "boolean" -> Boolean.valueOf(text.strip());
            case "Integer", "int" -> Integer.valueOf(text.strip());
            case "Long", "long" -> Long.valueOf(text.strip());
            case "Short", "short" -> Short.valueOf(text.strip());
            case "Byte", "byte" -> Byte.valueOf(text.strip());
            case "Double", "double" -> Double.valueOf(text.strip());
            case "Float", "float" -> Float.valueOf(text.strip());
            case "Character", "char" -> character(text);
            case "Class" -> Class.forName(text.strip(), true, application);
            default -> constant(simple, text.strip(), application);
        };
    }

    private static Object character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("\"" + text + "\" is not one character");
        }
        return text.charAt(0);
    }

    private static Object constant(String type, String name, ClassLoader application) throws ClassNotFoundException {
        Object[] constants = Class.forName(type, true, application).getEnumConstants();
        if (constants != null) {
            for (Object constant : constants) {
                if (((Enum<?>) constant).name().equals(name)) {
                    return constant;
                }
            }
        }
        throw new IllegalArgumentException("\"" + name + "\" is not a value of the type " + type);
    }
}
