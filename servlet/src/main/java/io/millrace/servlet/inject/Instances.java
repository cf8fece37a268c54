package io.millrace.servlet.inject;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the application's servlets, filters and listeners by their no-argument constructors, with what they ask for, and
 * lets go of them. Any thread.
 */
public final class Instances {

    private final ClassLoader loader;
    private final Injector injector;

    /** For classes that the application names and neither it nor its loader's parents have. */
    private final Function<String, @Nullable Class<?>> standIns;

    /** Those that have a pre-destroy method, the latest first. Guarded by itself. */
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

    /** Makes an instance, injects its resources, and calls its post-construct method. */
    public <T> T make(Class<T> type) throws ServletException {
        T made = makeForRequest(type);
        if (injector.hasEnd(made)) {
            synchronized (ending) {
                ending.addFirst(made);
            }
        }
        return made;
    }

    /** The same, but {@link #releaseAll} does not know of it: requests would fill the memory with what they made. */
    public <T> T makeForRequest(Class<T> type) throws ServletException {
        T made = instance(type);
        injector.construct(made);
        return made;
    }

    /** After its last use. Nothing for what was not made here: its maker is its keeper. */
    @SuppressWarnings("ReferenceEquality") // which object it is counts, not what it says it equals
    public void releaseMade(Object component) {
        boolean made;
        synchronized (ending) {
            made = ending.removeIf(each -> each == component);
        }
        if (made) {
            injector.destroy(component);
        }
    }

    /** After the last use of one that was made for a request. */
    public void release(Object component) {
        injector.destroy(component);
    }

    /** What is left when the application has stopped: listeners, and components that were never put into service. */
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
