package io.millrace.servlet.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Serializes and deserializes an application's session attributes, each on its own. Thread-safe. */
final class SessionCodec {

    private final String application;
    private final ClassLoader loader;
    private final SessionClasses classes;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    SessionCodec(String application, ClassLoader loader, SessionClasses classes) {
        this.application = application;
        this.loader = loader;
        this.classes = classes;
    }

    /** The serialized attribute; null if it cannot be stored, which is logged once for each name and class. */
    byte @Nullable [] freeze(String name, Object value) {
        if (!classes.keeps(name, value.getClass())) {
            return null;
        }
        try {
            byte[] bytes = write(value);
            if (bytes.length <= SessionClasses.MAX_BYTES) {
                return bytes;
            }
            notKept(name, value, bytes.length + " bytes exceed the limit of " + SessionClasses.MAX_BYTES);
        } catch (InvalidClassException e) {
            notKept(name, value, String.valueOf(e.getMessage()));
        } catch (NotSerializableException e) {
            notKept(name, value, e.getMessage() + " is not serializable");
        } catch (IOException | RuntimeException | StackOverflowError | LinkageError e) {
            notKept(name, value, e.toString());
        }
        return null;
    }

    /** A serialized object of the container; null if it cannot be serialized. */
    byte @Nullable [] freezeNote(String name, Object value) {
        try {
            return write(value);
        } catch (IOException | RuntimeException | StackOverflowError | LinkageError e) {
            notKept(name, value, e.toString());
            return null;
        }
    }

    private byte[] write(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new CheckedOutput(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    /** Rejects, when writing, classes that would be rejected when reading, so that the operator learns of it early. */
    private final class CheckedOutput extends ObjectOutputStream {

        CheckedOutput(OutputStream out) throws IOException {
            super(out);
        }

        @Override
        protected void annotateClass(Class<?> type) throws InvalidClassException {
            if (!classes.admits(type)) {
                throw new InvalidClassException(
                        type.getName() + " is not permitted in a stored session (docs/guide/sessions.md)");
            }
        }
    }

    private void notKept(String name, Object value, String reason) {
        String type = value.getClass().getName();
        if (logged.add(name + ' ' + type)) {
            SessionLog.LOG.notKept(name, type, application, reason);
        }
    }

    /** Deserializes an attribute; never null. */
    Object thaw(byte[] bytes) throws IOException, ClassNotFoundException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try (SessionObjectInput in = new SessionObjectInput(new ByteArrayInputStream(bytes), loader, classes)) {
            Object value = in.readObject();
            if (value == null) {
                throw new IOException("the serialized value is null; session attributes are never null");
            }
            return value;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    void notRestored(String name, Throwable failure) {
        if (logged.add(name)) {
            SessionLog.LOG.notRestored(name, application, failure.toString());
        }
    }

    /** Deserializes objects with the application's class loader, filtered by {@link SessionClasses}. */
    private static final class SessionObjectInput extends ObjectInputStream {

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
}
