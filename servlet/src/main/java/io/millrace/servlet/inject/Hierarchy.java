package io.millrace.servlet.inject;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A component's class and its superclasses that may have injection points, the topmost first. */
final class Hierarchy {

    private final List<Class<?>> classes;

    Hierarchy(Class<?> type) {
        Deque<Class<?>> found = new ArrayDeque<>();
        for (Class<?> each = type; each != null && !isApi(each); each = each.getSuperclass()) {
            found.addFirst(each);
        }
        classes = List.copyOf(found);
    }

    private static boolean isApi(Class<?> type) {
        return type.getName().startsWith("java.") || type.getName().startsWith("javax.servlet.");
    }

    List<Class<?>> classes() {
        return classes;
    }

    /** True if a subclass overrides the method: then only the overriding method applies (JSR 250, 2.1). */
    boolean isOverridden(Method method) {
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            return false;
        }
        int below = classes.indexOf(method.getDeclaringClass()) + 1;
        return classes.subList(below, classes.size()).stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .anyMatch(other -> overrides(other, method));
    }

    private static boolean overrides(Method lower, Method upper) {
        boolean open = Modifier.isPublic(upper.getModifiers()) || Modifier.isProtected(upper.getModifiers());
        return lower.getName().equals(upper.getName())
                && !lower.isBridge()
                && Arrays.equals(lower.getParameterTypes(), upper.getParameterTypes())
                && (open || samePackage(lower, upper));
    }

    private static boolean samePackage(Method one, Method other) {
        return one.getDeclaringClass()
                .getPackageName()
                .equals(other.getDeclaringClass().getPackageName());
    }
}
