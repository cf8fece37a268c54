package io.millrace.servlet.inject;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Methods that set a property, by the names of JavaBeans (JavaBeans 1.01, 8.3 and 8.8). */
final class Setters {

    private static final String SET = "set";

    private Setters() {}

    /** Null if it is none. */
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
