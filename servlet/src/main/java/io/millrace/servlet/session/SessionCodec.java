package io.millrace.servlet.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
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
}
