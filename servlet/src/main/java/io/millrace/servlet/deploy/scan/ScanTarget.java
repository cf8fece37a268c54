package io.millrace.servlet.deploy.scan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a scan looks for: the Servlet API's annotations, and the types that initializers ask for. */
public final class ScanTarget {

    /** Of javax.servlet, and of jakarta.servlet, which is to be refused. */
    private static final BytePattern ANNOTATIONS = new BytePattern("/servlet/annotation/");

    private final SortedSet<String> types = new TreeSet<>();
    private final List<BytePattern> descriptors = new ArrayList<>();

    /**
     * A scan for types.
     *
     * @param types names of classes, interfaces or annotations; which, is not known before the scan
     */
    public ScanTarget(Collection<String> types) {
        this.types.addAll(types);
        for (String type : this.types) {
            descriptors.add(new BytePattern('L' + type.replace('.', '/') + ';'));
        }
    }

    /** Says what is looked for: targets of equal texts find the same in the same classes. */
    String text() {
        return String.join(" ", types);
    }

    /** True if the headers of all classes are wanted. */
    public boolean headers() {
        return !descriptors.isEmpty();
    }

    /** True for a class that may have one of the annotations: what it does not mention, it does not have. */
    boolean mentions(byte[] classFile) {
        if (ANNOTATIONS.isIn(classFile)) {
            return true;
        }
        for (BytePattern descriptor : descriptors) {
            if (descriptor.isIn(classFile)) {
                return true;
            }
        }
        return false;
    }
}
