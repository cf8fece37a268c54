package io.millrace.servlet.deploy.scan;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A place with class files: WEB-INF/classes or a JAR. */
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

    /** The path in the WAR, for messages. */
    String source();

    /** Identifies the contents without reading them all; null if impossible. */
    @Nullable
    JarKey key() throws IOException;

    /** Visits every class of the place, except module-info and package-info, each in the version that is loaded. */
    void visit(Visitor visitor) throws IOException;

    /** True for files that are visited. */
    static boolean isClass(String path) {
        return path.endsWith(".class")
                && !path.startsWith("META-INF/")
                && !path.endsWith("module-info.class")
                && !path.endsWith("package-info.class");
    }
}
