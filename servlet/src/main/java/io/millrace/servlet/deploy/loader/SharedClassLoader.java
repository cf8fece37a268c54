package io.millrace.servlet.deploy.loader;

import java.net.URL;
import java.net.URLClassLoader;
import org.jspecify.annotations.Nullable;

/**
 * The class loader of libraries that an operator installed for all applications: the parent of their class loaders. It delegates
 * to its parent first, as in Tomcat, except for packages that the container hides from applications: its own version of such a
 * library is the one that applications see. Thread-safe. It is never closed.
 */
public final class SharedClassLoader extends URLClassLoader {

    static {
        registerAsParallelCapable();
    }

    /**
     * Creates a class loader.
     *
     * @param name for stack traces
     * @param urls jars, and directories whose URLs end with a slash
     * @param parent the container's class loader, or another of this kind
     */
    public SharedClassLoader(String name, URL[] urls, ClassLoader parent) {
        super(name, urls, parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        JdkStatics.before(name);
        Class<?> own = ContainerClasses.isHidden(name) ? own(name) : null;
        return own != null ? own : super.loadClass(name, resolve);
    }

    /** A class of its own jars, or of those of a parent of this kind; null if none has it. */
    @Nullable
    Class<?> own(String name) {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try {
                return findClass(name);
            } catch (ClassNotFoundException notHere) {
                return getParent() instanceof SharedClassLoader parent ? parent.own(name) : null;
            }
        }
    }

    /** A file of its own jars, or of those of a parent of this kind; null if none has it. */
    @Nullable
    URL ownResource(String name) {
        URL found = findResource(name);
        return found == null && getParent() instanceof SharedClassLoader parent ? parent.ownResource(name) : found;
    }
}
