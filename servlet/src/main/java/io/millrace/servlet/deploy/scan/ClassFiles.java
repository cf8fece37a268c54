package io.millrace.servlet.deploy.scan;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.Index;
import org.jspecify.annotations.Nullable;

/** Reads single class files by name, without loading the class. */
public final class ClassFiles {

    private final ClassLoader loader;

    public ClassFiles(ClassLoader loader) {
        this.loader = loader;
    }

    /** The class file; null if there is none. */
    byte @Nullable [] bytes(String className) throws IOException {
        try (InputStream in = loader.getResourceAsStream(className.replace('.', '/') + ".class")) {
            return in == null ? null : in.readAllBytes();
        }
    }

    /** The declarations of a class; null if the class does not exist or is unreadable. */
    @Nullable
    ClassInfo info(String className) throws IOException {
        byte[] bytes = bytes(className);
        if (bytes == null) {
            return null;
        }
        try {
            return Index.singleClass(new ByteArrayInputStream(bytes));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
