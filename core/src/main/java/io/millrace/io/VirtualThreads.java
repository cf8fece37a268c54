package io.millrace.io;

import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates virtual threads on Java 21 and later, through method handles, since this code is compiled for Java 17. All
 * other code uses this class.
 */
public final class VirtualThreads {

    /** {@code Thread.ofVirtual()}; null before Java 21. */
    private static final @Nullable Api API = Api.find();

    private VirtualThreads() {}

    /** Whether this Java version has virtual threads. */
    public static boolean areAvailable() {
        return API != null;
    }

    /**
     * A factory of virtual threads. They inherit neither thread-locals nor the context class loader of their creator,
     * which may be an application.
     *
     * @param prefix the prefix of their names, followed by a number from 1
     * @param onFailure called with the exceptions that end a thread; also identifies the threads of this factory
     * @throws IllegalStateException before Java 21
     */
    public static ThreadFactory factory(String prefix, UncaughtExceptionHandler onFailure) {
        if (API == null) {
            throw new IllegalStateException("virtual threads need Java 21 or later; this is Java "
                    + Runtime.version().feature());
        }
        return API.factory(prefix, onFailure);
    }

    /** Each step of {@code Thread.ofVirtual().name(prefix, 1).uncaughtExceptionHandler(h).inheritInheritableThreadLocals(false).factory()}. */
    private record Api(
            MethodHandle ofVirtual,
            MethodHandle name,
            MethodHandle onFailure,
            MethodHandle inherit,
            MethodHandle factory) {

        static @Nullable Api find() {
            if (Runtime.version().feature() < 21) { // in 19 and 20 they are a preview, which throws when used
                return null;
            }
            try {
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                Class<?> builder = Class.forName("java.lang.Thread$Builder");
                Class<?> virtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
                return new Api(
                        lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(virtual)),
                        lookup.findVirtual(builder, "name", MethodType.methodType(builder, String.class, long.class)),
                        lookup.findVirtual(
                                builder,
                                "uncaughtExceptionHandler",
                                MethodType.methodType(builder, UncaughtExceptionHandler.class)),
                        lookup.findVirtual(
                                builder,
                                "inheritInheritableThreadLocals",
                                MethodType.methodType(builder, boolean.class)),
                        lookup.findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class)));
            } catch (ReflectiveOperationException different) {
                throw new IllegalStateException("this Java's virtual threads are not those of Java 21", different);
            }
        }

        ThreadFactory factory(String prefix, UncaughtExceptionHandler handler) {
            try {
                Object named = onFailure.invoke(name.invoke(ofVirtual.invoke(), prefix, 1L), handler);
                Object builder = inherit.invoke(named, false);
                return (ThreadFactory) factory.invoke(builder);
            } catch (RuntimeException | Error failed) {
                throw failed;
            } catch (Throwable impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
