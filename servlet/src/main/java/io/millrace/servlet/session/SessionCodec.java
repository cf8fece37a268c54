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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Serializes and deserializes an application's session attributes, each on its own. Thread-safe. */
final class SessionCodec {

    private final String application;
    private final ClassLoader loader;
    private final SessionClasses classes;
    private final boolean isPlainPermitted;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    SessionCodec(String application, ClassLoader loader, SessionClasses classes) {
        this.application = application;
        this.loader = loader;
        this.classes = classes;
        isPlainPermitted = PlainValues.TYPES.stream().allMatch(classes::admits);
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
        byte[] plain = isPlainPermitted ? PlainValues.write(value) : null;
        return plain == null ? writeObject(value) : plain;
    }

    private byte[] writeObject(Object value) throws IOException {
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
        // the operator's filter for the whole JVM (jdk.serialFilter) applies to objects in streams
        boolean isPlain = isPlainPermitted && ObjectInputFilter.Config.getSerialFilter() == null;
        Object plain = isPlain ? PlainValues.read(bytes) : null;
        return plain == null ? readObject(bytes) : plain;
    }

    private Object readObject(byte[] bytes) throws IOException, ClassNotFoundException {
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

    /**
     * Numbers, booleans and ASCII texts, which most attributes are, in the format of Java serialization, but without a stream and its
     * buffers, which take a hundred times as long. What it does not know is left to streams.
     */
    private static final class PlainValues {

        /** All classes in these streams. */
        static final List<Class<?>> TYPES =
                List.of(String.class, Boolean.class, Integer.class, Long.class, Number.class);

        private static final byte[] INTEGER = before(0, Integer.BYTES);
        private static final byte[] LONG = before(0L, Long.BYTES);
        private static final byte[] BOOLEAN = before(false, Byte.BYTES);
        private static final byte[] TEXT = before("", Short.BYTES);
        private static final int MAX_TEXT = 0xffff;

        private PlainValues() {}

        /** What a stream has before the value. */
        private static byte[] before(Object value, int size) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(value);
            } catch (IOException e) {
                throw new IllegalStateException("writing to memory failed", e);
            }
            return Arrays.copyOf(bytes.toByteArray(), bytes.size() - size);
        }

        static byte @Nullable [] write(Object value) {
            if (value instanceof Integer number) {
                return after(INTEGER, Integer.BYTES).putInt(number).array();
            }
            if (value instanceof Long number) {
                return after(LONG, Long.BYTES).putLong(number).array();
            }
            if (value instanceof Boolean truth) {
                return after(BOOLEAN, Byte.BYTES).put((byte) (truth ? 1 : 0)).array();
            }
            return value instanceof String text && text.length() <= MAX_TEXT ? write(text) : null;
        }

        private static byte @Nullable [] write(String text) {
            byte[] latin = text.getBytes(StandardCharsets.ISO_8859_1);
            for (int i = 0; i < latin.length; i++) {
                if (latin[i] <= 0 || latin[i] != text.charAt(i)) {
                    return null;
                }
            }
            return after(TEXT, Short.BYTES + latin.length)
                    .putShort((short) latin.length)
                    .put(latin)
                    .array();
        }

        private static ByteBuffer after(byte[] before, int size) {
            return ByteBuffer.allocate(before.length + size).put(before);
        }

        static @Nullable Object read(byte[] bytes) {
            if (isOf(INTEGER, Integer.BYTES, bytes)) {
                return ByteBuffer.wrap(bytes).getInt(INTEGER.length);
            }
            if (isOf(LONG, Long.BYTES, bytes)) {
                return ByteBuffer.wrap(bytes).getLong(LONG.length);
            }
            if (isOf(BOOLEAN, Byte.BYTES, bytes)) {
                return bytes[BOOLEAN.length] != 0;
            }
            int start = TEXT.length + Short.BYTES;
            boolean isText = bytes.length >= start
                    && isOf(TEXT, bytes.length - TEXT.length, bytes)
                    && Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort(TEXT.length)) == bytes.length - start;
            for (int i = start; isText && i < bytes.length; i++) {
                isText = bytes[i] > 0;
            }
            return isText ? new String(bytes, start, bytes.length - start, StandardCharsets.ISO_8859_1) : null;
        }

        private static boolean isOf(byte[] before, int size, byte[] bytes) {
            return bytes.length == before.length + size
                    && Arrays.equals(before, 0, before.length, bytes, 0, before.length);
        }
    }
}
