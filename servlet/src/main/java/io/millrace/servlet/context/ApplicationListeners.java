package io.millrace.servlet.context;

import io.millrace.servlet.inject.Instances;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.List;
import javax.servlet.ServletContextAttributeListener;
import javax.servlet.ServletContextListener;
import javax.servlet.ServletException;
import javax.servlet.ServletRequestAttributeListener;
import javax.servlet.ServletRequestListener;
import javax.servlet.http.HttpSessionAttributeListener;
import javax.servlet.http.HttpSessionIdListener;
import javax.servlet.http.HttpSessionListener;

/** The application's listeners by kind, in order of registration. Modified only while the application starts. */
final class ApplicationListeners {

    private static final List<Class<? extends EventListener>> KINDS = List.of(
            ServletContextListener.class,
            ServletContextAttributeListener.class,
            ServletRequestListener.class,
            ServletRequestAttributeListener.class,
            HttpSessionListener.class,
            HttpSessionAttributeListener.class,
            HttpSessionIdListener.class);

    /**
     * A listener of the context's start and stop.
     *
     * @param declared true if declared by a descriptor, an annotation or the embedder: then it may configure the context
     */
    record Registered(ServletContextListener listener, boolean declared) {}

    private final List<Registered> context = new ArrayList<>();
    private final List<ServletContextAttributeListener> contextAttributes = new ArrayList<>();
    private final List<ServletRequestListener> requests = new ArrayList<>();
    private final List<ServletRequestAttributeListener> requestAttributes = new ArrayList<>();
    private final List<EventListener> sessions = new ArrayList<>();
    private final Phase phase;
    private final Instances instances;

    ApplicationListeners(Phase phase, Instances instances) {
        this.phase = phase;
        this.instances = instances;
    }

    /**
     * Instantiates a listener and adds it.
     *
     * @throws IllegalArgumentException if the class is missing, can't be instantiated, or is not a servlet listener
     */
    void register(String className) {
        phase.requireConfigurable();
        try {
            register(instances.make(className, EventListener.class));
        } catch (ServletException e) {
            throw new IllegalArgumentException(
                    "listener " + className + " cannot be instantiated by its no-argument constructor", e);
        }
    }

    void register(Class<? extends EventListener> type) {
        phase.requireConfigurable();
        try {
            register(instances.make(type));
        } catch (ServletException e) {
            throw new IllegalArgumentException(
                    "listener " + type.getName() + " cannot be instantiated by its no-argument constructor", e);
        }
    }

    void register(EventListener listener) {
        phase.requireConfigurable();
        if (!add(listener)) {
            throw new IllegalArgumentException(listener.getClass().getName()
                    + (listener instanceof ServletContextListener
                            ? " is a ServletContextListener, which only a ServletContainerInitializer may add"
                            : " is not a servlet listener"));
        }
    }

    /** Adds it for each of its kinds; false if none of them may be added now (Servlet 3.1, 4.4.3). */
    private boolean add(EventListener listener) {
        boolean known = put(listener, ServletContextAttributeListener.class, contextAttributes);
        if (phase.takesContextListeners() && listener instanceof ServletContextListener added) {
            context.add(new Registered(added, phase.isDeclaring()));
            known = true;
        }
        known |= put(listener, ServletRequestListener.class, requests);
        known |= put(listener, ServletRequestAttributeListener.class, requestAttributes);
        if (isSessionListener(listener)) {
            sessions.add(listener);
            known = true;
        }
        return known;
    }

    /** Whether it is a listener that the container notifies. */
    static boolean isKnown(EventListener listener) {
        return listener instanceof ServletContextListener
                || listener instanceof ServletContextAttributeListener
                || listener instanceof ServletRequestListener
                || listener instanceof ServletRequestAttributeListener
                || isSessionListener(listener);
    }

    static boolean isSessionListener(EventListener listener) {
        return listener instanceof HttpSessionListener
                || listener instanceof HttpSessionAttributeListener
                || listener instanceof HttpSessionIdListener;
    }

    private static <T> boolean put(EventListener listener, Class<T> kind, List<T> list) {
        return kind.isInstance(listener) && list.add(kind.cast(listener));
    }

    /**
     * Implements ServletContext.createListener.
     *
     * @throws IllegalArgumentException if it is not a servlet listener
     */
    <T extends EventListener> T make(Class<T> type) throws ServletException {
        if (KINDS.stream().noneMatch(kind -> kind.isAssignableFrom(type))) {
            throw new IllegalArgumentException(type.getName() + " is not a servlet listener");
        }
        return instances.make(type);
    }

    List<Registered> context() {
        return context;
    }

    List<ServletContextAttributeListener> contextAttributes() {
        return contextAttributes;
    }

    List<ServletRequestListener> requests() {
        return requests;
    }

    List<ServletRequestAttributeListener> requestAttributes() {
        return requestAttributes;
    }

    List<EventListener> sessions() {
        return sessions;
    }
}
