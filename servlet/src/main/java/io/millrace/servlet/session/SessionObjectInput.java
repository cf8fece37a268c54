package io.millrace.servlet.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Deserializes objects with the application's class loader, filtered by {@link SessionClasses}. */
final class SessionObjectInput extends ObjectInputStream {

    private static final ClassLoader CONTAINER = SessionObjectInput.class.getClassLoader();

    private final ClassLoader loader;

    SessionObjectInput(InputStream in, ClassLoader loader, SessionClasses classes) throws IOException {
        super(in);
        this.loader = loader;
        ObjectInputFilter operators = getObjectInputFilter();
        // the operator's filter for the whole JVM (jdk.serialFilter) applies too
        setObjectInputFilter(operators == null ? classes : ObjectInputFilter.merge(classes, operators));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        String name = description.getName();
        try {
            return Class.forName(name, false, SessionClasses.isContainerClass(name) ? CONTAINER : loader);
        } catch (ClassNotFoundException e) {
            // primitive types
            return super.resolveClass(description);
        }
    }

    @Override
    protected @Nullable Class<?> resolveProxyClass(String[] names) throws IOException, ClassNotFoundException {
        Class<?>[] interfaces = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) {
            interfaces[i] = Class.forName(names[i], false, loader);
        }
        try {
            return proxyClass(interfaces);
        } catch (IllegalArgumentException e) {
            throw new ClassNotFoundException("no proxy class can be created for " + String.join(", ", names), e);
        }
    }

    /** Deprecated, as it ignores exports of packages; but a handler must not be instantiated before its class is checked. */
    @SuppressWarnings("deprecation")
    private Class<?> proxyClass(Class<?>[] interfaces) {
        return Proxy.getProxyClass(loader, interfaces);
    }
}
