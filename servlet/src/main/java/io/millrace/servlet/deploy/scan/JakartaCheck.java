package io.millrace.servlet.deploy.scan;

import io.millrace.servlet.deploy.xml.Descriptor;
import io.millrace.servlet.deploy.xml.JakartaApplication;
import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.model.DeploymentException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jspecify.annotations.Nullable;

/**
 * Rejects jakarta.servlet applications, which would start without an error and respond to all requests with 404. JARs count as
 * evidence only if nothing uses javax.servlet, because libraries may support both APIs.
 */
public final class JakartaCheck {

    private final ClassFiles files;
    private @Nullable String jakartaClass;
    private boolean javaxClasses;

    public JakartaCheck(ClassFiles files) {
        this.files = files;
    }

    /** Checks WEB-INF/classes, the application's own code, whose references determine its API. */
    public void classes(ClassesDirectory classes) throws DeploymentException, IOException {
        classes.visit((path, bytes) -> {
            ApiUse use = ApiUse.of(bytes);
            javaxClasses |= use.javax();
            if (use.jakarta() && jakartaClass == null) {
                jakartaClass =
                        path.substring(0, path.length() - ".class".length()).replace('/', '.');
            }
        });
        String found = jakartaClass;
        if (found != null && !javaxClasses) {
            throw new JakartaApplication("class " + found + " in WEB-INF/classes uses jakarta.servlet").refusal();
        }
        if (found != null) {
            ServletLog.DEPLOY.mixedNamespaces(found);
        }
    }

    /** Checks the servlets, filters and listeners of the application, wherever their classes are. */
    public void components(Descriptor merged) throws DeploymentException, IOException {
        List<String> names = new ArrayList<>(merged.listeners);
        merged.servlets.values().forEach(servlet -> add(names, servlet.className));
        merged.filters.values().forEach(filter -> add(names, filter.className));
        for (String name : names) {
            byte[] bytes = files.bytes(name);
            ApiUse use = bytes == null ? new ApiUse(false, false) : ApiUse.of(bytes);
            javaxClasses |= use.javax();
            if (use.jakarta() && !use.javax()) {
                throw new JakartaApplication("class " + name
                                + ", a servlet, filter or listener of the application, uses" + " jakarta.servlet")
                        .refusal();
            }
        }
    }

    private static void add(List<String> names, @Nullable String name) {
        if (name != null) {
            names.add(name);
        }
    }

    /**
     * Checks the annotations and initializers of JARs.
     *
     * @param javaxInitializers true if the application has javax.servlet initializers
     */
    public void libraries(List<LibraryJar> libraries, List<ScannedPlace> places, boolean javaxInitializers)
            throws DeploymentException, IOException {
        if (javaxClasses || javaxInitializers) {
            return;
        }
        for (LibraryJar library : libraries) {
            List<String> names = ServiceFile.names(library.text(ServiceFile.JAKARTA_INITIALIZERS));
            if (!names.isEmpty()) {
                throw new JakartaApplication("class " + names.get(0) + " in " + library.source()
                                + " is an initializer for jakarta.servlet")
                        .refusal();
            }
        }
        for (ScannedPlace place : places) {
            for (String annotation : WebAnnotations.NAMES) {
                refuseAnnotated(place.index(), DotName.createSimple("jakarta.servlet.annotation." + annotation));
            }
        }
    }

    private static void refuseAnnotated(IndexView index, DotName annotation) throws DeploymentException {
        if (!index.getAnnotations(annotation).isEmpty()) {
            String target =
                    index.getAnnotations(annotation).iterator().next().target().toString();
            throw new JakartaApplication("class " + target + " is annotated with " + annotation).refusal();
        }
    }

    /**
     * The Servlet APIs that a class file refers to, by its constant pool (JVMS 4.4). Names in string constants are ignored: libraries
     * that support both APIs have them.
     */
    private record ApiUse(boolean javax, boolean jakarta) {

        private static final ApiUse NONE = new ApiUse(false, false);

        private static final BytePattern SERVLET = new BytePattern("/servlet/");

        static ApiUse of(byte[] classFile) {
            if (!SERVLET.isIn(classFile)) {
                return NONE;
            }
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile))) {
                in.skipNBytes(8);
                return read(in);
            } catch (IOException e) {
                // A truncated or invalid class file, which loading reports.
                return NONE;
            }
        }

        private static ApiUse read(DataInputStream in) throws IOException {
            BitSet javax = new BitSet();
            BitSet jakarta = new BitSet();
            BitSet strings = new BitSet();
            BitSet classes = new BitSet();
            int count = in.readUnsignedShort();
            for (int index = 1; index < count; index++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1 -> {
                        String text = in.readUTF();
                        javax.set(index, refersTo(text, "javax/servlet/"));
                        jakarta.set(index, refersTo(text, "jakarta/servlet/"));
                    }
                    case 7 -> classes.set(in.readUnsignedShort());
                    case 8 -> strings.set(in.readUnsignedShort());
                    case 16, 19, 20 -> in.skipNBytes(2);
                    case 15 -> in.skipNBytes(3);
                    case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                    case 5, 6 -> {
                        in.skipNBytes(8);
                        // A long or double takes two entries of the pool.
                        index++;
                    }
                    default -> throw new IOException("constant pool tag " + tag);
                }
            }
            strings.andNot(classes);
            javax.andNot(strings);
            jakarta.andNot(strings);
            return new ApiUse(!javax.isEmpty(), !jakarta.isEmpty());
        }

        /** True for a class name, and for a descriptor or signature with one. */
        private static boolean refersTo(String text, String prefix) {
            return text.startsWith(prefix) || text.contains('L' + prefix);
        }
    }
}
