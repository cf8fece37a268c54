package io.millrace.servlet.inject;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Recognizes setter methods (JavaBeans 1.01, 8.3 and 8.8). */
final class Setters {

    private static final String SET = "set";

    private Setters() {}

    /** The property; null if the method is not a setter. */
    static @Nullable String property(Method method) {
        String name = method.getName();
        if (method.getParameterCount() != 1 || !name.startsWith(SET) || name.length() == SET.length()) {
            return null;
        }
        String capital = name.substring(SET.length());
        boolean acronym = capital.length() > 1
                && Character.isUpperCase(capital.charAt(0))
                && Character.isUpperCase(capital.charAt(1));
        return acronym ? capital : Character.toLowerCase(capital.charAt(0)) + capital.substring(1);
    }
}
