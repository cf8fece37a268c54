package io.millrace.servlet.deploy.scan;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A place that holds class files: WEB-INF/classes or a jar. */
interface ClassSource {

    /** Receives one class file. */
    interface Visitor {
        /**
         * Called for each class.
         *
         * @param path relative to the root of the place
         */
        void visit(String path, byte[] classFile);
    }

    /** For messages: a path in the WAR. */
    String source();

    /** What its contents are known by without reading them; null if by nothing. */
    @Nullable
    JarKey key() throws IOException;

    /** Shows every class of the place, but not module-info and the versions for other releases. */
    void visit(Visitor visitor) throws IOException;

    /** True for the files that are shown. */
    static boolean isClass(String path) {
        return path.endsWith(".class")
                && !path.startsWith("META-INF/")
                && !path.endsWith("module-info.class")
                && !path.endsWith("package-info.class");
    }
}
