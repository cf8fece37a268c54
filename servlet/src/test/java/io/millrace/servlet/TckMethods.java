package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/** The tests of a class that was written for TestNG, each on an instance of its own. */
final class TckMethods {

    private TckMethods() {}

    /**
     * A dynamic test for each.
     *
     * @param skipped those that skip themselves, besides those that the suite calls untested: each has to, and no other may
     */
    static <T> Stream<DynamicTest> of(Supplier<T> maker, Class<T> type, Set<String> skipped) {
        Method[] methods = type.getMethods();
        assertTrue(Arrays.stream(methods).anyMatch(TckMethods::isTest), "no tests in " + type);
        return Arrays.stream(methods)
                .filter(TckMethods::isTest)
                .sorted(Comparator.comparing(Method::getName))
                .map(method -> DynamicTest.dynamicTest(method.getName(), () -> {
                    boolean expected = skipped.contains(method.getName())
                            || method.getName().startsWith("untested_");
                    assertEquals(expected, !run(maker.get(), methods, method), "skips itself");
                }));
    }

    private static boolean isTest(Method method) {
        return method.isAnnotationPresent(Test.class);
    }

    /** False if it skipped itself. */
    private static boolean run(Object instance, Method[] methods, Method test) throws Throwable {
        try {
            call(instance, methods, BeforeClass.class);
            call(instance, methods, BeforeMethod.class);
            test.invoke(instance);
            return true;
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SkipException) {
                return false;
            }
            throw Objects.requireNonNull(e.getCause());
        } finally {
            call(instance, methods, AfterClass.class);
        }
    }

    private static void call(Object instance, Method[] methods, Class<? extends Annotation> marker)
            throws ReflectiveOperationException {
        for (Method method : methods) {
            if (method.isAnnotationPresent(marker)) {
                method.invoke(instance);
            }
        }
    }
}
