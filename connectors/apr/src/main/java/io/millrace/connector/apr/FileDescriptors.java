package io.millrace.connector.apr;

import java.io.FileDescriptor;
import java.lang.reflect.Field;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors of the JDK's file channels, for sendfile. The JDK does not expose them; the start script opens the two
 * packages that contain them. Without that, files are copied instead.
 */
final class FileDescriptors {

    /** No descriptor is available. */
    static final int NONE = -1;

    private static final @Nullable Field OF_CHANNEL = field("sun.nio.ch.FileChannelImpl", "fd");
    private static final @Nullable Field NUMBER = field(FileDescriptor.class.getName(), "fd");

    static {
        if (OF_CHANNEL == null || NUMBER == null) {
            AprLog.LOG.filesAreCopied();
        }
    }

    private FileDescriptors() {}

    /** The descriptor of an open file; {@link #NONE} if Java does not expose it, or the file is closed. */
    static int of(FileChannel file) {
        Field ofChannel = OF_CHANNEL;
        Field number = NUMBER;
        if (ofChannel == null
                || number == null
                || !ofChannel.getDeclaringClass().isInstance(file)) {
            return NONE;
        }
        try {
            return ofChannel.get(file) instanceof FileDescriptor descriptor ? number.getInt(descriptor) : NONE;
        } catch (IllegalAccessException impossible) {
            return NONE;
        }
    }

    private static @Nullable Field field(String className, String name) {
        try {
            Field found = Class.forName(className).getDeclaredField(name);
            return found.trySetAccessible() ? found : null;
        } catch (ReflectiveOperationException otherJdk) {
            return null;
        }
    }
}
