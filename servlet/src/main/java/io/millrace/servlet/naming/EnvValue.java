package io.millrace.servlet.naming;

import org.jspecify.annotations.Nullable;

/** Parses values of env-entry elements and Environment elements (Java EE 7, EE.5.4). */
public final class EnvValue {

    private EnvValue() {}

    /**
     * Converts a text to a value of a type.
     *
     * @param type a primitive type, a class of java.lang with or without its package, or an enum; null: String
     * @param application loads enums, and the values of the type Class
     * @throws IllegalArgumentException if the text is not a value of the type, or the type is not supported
     * @throws ClassNotFoundException if the class or the enum does not exist
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
            throw new IllegalArgumentException(
                    "found " + text.length() + " characters; a value of the type java.lang.Character has exactly one");
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
