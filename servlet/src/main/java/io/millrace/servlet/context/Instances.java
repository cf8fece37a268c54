package io.millrace.servlet.context;

import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/** Makes the application's servlets, filters and listeners by their no-argument constructors. */
final class Instances {

    private final ClassLoader loader;

    Instances(ClassLoader loader) {
        this.loader = loader;
    }

    ClassLoader loader() {
        return loader;
    }

    <T> T make(@Nullable String className, Class<T> kind) throws ServletException {
        return make(load(className, kind));
    }

    <T> Class<? extends T> load(@Nullable String className, Class<T> kind) throws ServletException {
        if (className == null) {
            throw new ServletException("a " + kind.getSimpleName() + " was declared without a class");
        }
        try {
            return Class.forName(className, false, loader).asSubclass(kind);
        } catch (ClassNotFoundException e) {
            Class<?> standIn = TomcatClasses.standIn(className);
            if (standIn != null) {
                return standIn.asSubclass(kind);
            }
            throw new ServletException("class " + className + " is neither in WEB-INF/classes nor in WEB-INF/lib", e);
        } catch (ClassCastException | LinkageError e) {
            throw new ServletException("class " + className + " can't be used as a " + kind.getName() + ": " + e, e);
        }
    }

    <T> T make(Class<T> type) throws ServletException {
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
