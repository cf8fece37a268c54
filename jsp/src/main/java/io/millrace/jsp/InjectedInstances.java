package io.millrace.jsp;

import io.millrace.servlet.Components;
import java.lang.reflect.InvocationTargetException;
import javax.servlet.ServletException;
import org.apache.tomcat.InstanceManager;

/** Instantiates JSP pages and tag handlers for Jasper, and injects their resources. Thread-safe. */
final class InjectedInstances implements InstanceManager {

    private final Components components;
    private final ClassLoader loader;

    /** @param loader the application's class loader */
    InjectedInstances(Components components, ClassLoader loader) {
        this.components = components;
        this.loader = loader;
    }

    @Override
    public Object newInstance(Class<?> type)
            throws IllegalAccessException, InvocationTargetException, InstantiationException, NoSuchMethodException {
        Object made = type.getConstructor().newInstance();
        newInstance(made);
        return made;
    }

    @Override
    public Object newInstance(String className)
            throws IllegalAccessException, InvocationTargetException, InstantiationException, NoSuchMethodException,
                    ClassNotFoundException {
        return newInstance(className, loader);
    }

    @Override
    public Object newInstance(String className, ClassLoader from)
            throws IllegalAccessException, InvocationTargetException, InstantiationException, NoSuchMethodException,
                    ClassNotFoundException {
        return newInstance(from.loadClass(className));
    }

    /** Injects resources into an instance that Jasper created. */
    @Override
    public void newInstance(Object made) throws InvocationTargetException {
        try {
            components.construct(made);
        } catch (ServletException e) {
            throw new InvocationTargetException(e, e.getMessage());
        }
    }

    @Override
    public void destroyInstance(Object made) {
        components.destroy(made);
    }
}
