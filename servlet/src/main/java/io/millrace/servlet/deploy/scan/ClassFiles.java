package io.millrace.servlet.deploy.scan;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.Index;
import org.jspecify.annotations.Nullable;

/** Single class files by name, read without loading the class. */
public final class ClassFiles {

    private final ClassLoader loader;

    public ClassFiles(ClassLoader loader) {
        this.loader = loader;
    }

    /** Null if there is none. */
    byte @Nullable [] bytes(String className) throws IOException {
        try (InputStream in = loader.getResourceAsStream(className.replace('.', '/') + ".class")) {
            return in == null ? null : in.readAllBytes();
        }
    }

    /** What is declared in a class; null if there is no such class, or none that can be read. */
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
