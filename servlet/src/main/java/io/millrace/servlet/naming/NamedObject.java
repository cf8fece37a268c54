package io.millrace.servlet.naming;

import javax.naming.NamingException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The object of a name, created at the first lookup. Thread-safe. */
final class NamedObject {

    private final ResourceSource source;
    private final ClassLoader application;
    private @Nullable Object made;
    private boolean closed;

    NamedObject(ResourceSource source, ClassLoader application) {
        this.source = source;
        this.application = application;
    }

    /** Returns the object. The first caller creates it; concurrent callers wait for that. */
    synchronized Object get(String name) throws NamingException {
        Object object = made;
        if (closed) {
            throw new NamingException("java:" + name + " is no longer available: the application has stopped");
        }
        if (object == null) {
            object = make(name);
            made = object;
        }
        return object;
    }

    private Object make(String name) throws NamingException {
        try {
            return source.make(application);
        } catch (NamingException e) {
            throw e;
        } catch (Exception e) {
            NamingException failure = new NamingException("java:" + name + " cannot be created: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    synchronized void close() {
        closed = true;
        Object object = made;
        if (object != null && source.isOwned(object)) {
            try {
                source.close(object);
            } catch (Exception e) {
                Logger.getLogger(NamedObject.class).debugf(e, "failed to close %s", object);
            }
        }
        made = null;
    }
}
