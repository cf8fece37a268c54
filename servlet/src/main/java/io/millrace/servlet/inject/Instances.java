package io.millrace.servlet.inject;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/**
 * Creates the application's servlets, filters and listeners by their no-argument constructors, injects their resources, and
 * destroys them. Thread-safe.
 */
public final class Instances {

    private final ClassLoader loader;
    private final Injector injector;

    /** Returns the container's replacement of a class that is not found; null if there is none. */
    private final Function<String, @Nullable Class<?>> standIns;

    /** The instances with a pre-destroy method, the latest first. Guarded by itself. */
    private final Deque<Object> ending = new ArrayDeque<>();

    public Instances(ClassLoader loader, Injector injector, Function<String, @Nullable Class<?>> standIns) {
        this.loader = loader;
        this.injector = injector;
        this.standIns = standIns;
    }

    public Injector injector() {
        return injector;
    }

    public ClassLoader loader() {
        return loader;
    }

    public <T> T make(@Nullable String className, Class<T> kind) throws ServletException {
        return make(load(className, kind));
    }

    public <T> Class<? extends T> load(@Nullable String className, Class<T> kind) throws ServletException {
        if (className == null) {
            throw new ServletException("a " + kind.getSimpleName() + " was declared without a class");
        }
        try {
            return Class.forName(className, false, loader).asSubclass(kind);
        } catch (ClassNotFoundException e) {
            Class<?> standIn = standIns.apply(className);
            if (standIn != null) {
                return standIn.asSubclass(kind);
            }
            throw new ServletException("class " + className + " is neither in WEB-INF/classes nor in WEB-INF/lib", e);
        } catch (ClassCastException | LinkageError e) {
            throw new ServletException("class " + className + " cannot be used as a " + kind.getName() + ": " + e, e);
        }
    }

    /** Creates an instance, injects its resources, and calls its post-construct methods. */
    public <T> T make(Class<T> type) throws ServletException {
        T made = makeForRequest(type);
        if (injector.hasEnd(made)) {
            synchronized (ending) {
                ending.addFirst(made);
            }
        }
        return made;
    }

    /**
     * Like {@link #make(Class)}, but without recording it for {@link #releaseAll}, so that instances of requests do not
     * accumulate.
     */
    public <T> T makeForRequest(Class<T> type) throws ServletException {
        T made = instance(type);
        injector.construct(made);
        return made;
    }

    /** Destroys an instance after its last use, unless it was created elsewhere. */
    @SuppressWarnings("ReferenceEquality") // identity, regardless of equals
    public void releaseMade(Object component) {
        boolean made;
        synchronized (ending) {
            made = ending.removeIf(each -> each == component);
        }
        if (made) {
            injector.destroy(component);
        }
    }

    /** Destroys an instance that was created for a request. */
    public void release(Object component) {
        injector.destroy(component);
    }

    /** Destroys the remaining instances when the application has stopped: listeners, and components that were never in service. */
    public void releaseAll() {
        List<Object> left;
        synchronized (ending) {
            left = List.copyOf(ending);
            ending.clear();
        }
        left.forEach(injector::destroy);
    }

    private static <T> T instance(Class<T> type) throws ServletException {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw new ServletException("the constructor of " + type.getName() + " failed", e.getCause());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            throw new ServletException(type.getName() + " has no usable constructor without arguments: " + e, e);
        }
    }
}
