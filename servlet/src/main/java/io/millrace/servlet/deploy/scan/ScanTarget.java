package io.millrace.servlet.deploy.scan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The target of a scan: the Servlet API's annotations, the types that initializers handle, and WebSocket endpoints, of which the
 * operator is warned if no initializer handles them.
 */
public final class ScanTarget {

    /** Those of javax.servlet, and of jakarta.servlet, which is rejected. */
    private static final BytePattern ANNOTATIONS = new BytePattern("/servlet/annotation/");

    /** The names of ServerEndpoint and ServerApplicationConfig begin with it. */
    private static final String ENDPOINTS = "javax/websocket/server/Server";

    private final SortedSet<String> types = new TreeSet<>();
    private final List<BytePattern> descriptors = new ArrayList<>();
    private final @Nullable BytePattern endpoints;

    /**
     * A scan target with types.
     *
     * @param types names of classes, interfaces or annotations
     */
    public ScanTarget(Collection<String> types) {
        this.types.addAll(types);
        endpoints = types.contains(DeclaredEndpoints.ENDPOINT.toString()) ? null : new BytePattern(ENDPOINTS);
        for (String type : this.types) {
            descriptors.add(new BytePattern('L' + type.replace('.', '/') + ';'));
        }
    }

    /** Identifies the target: targets with equal texts have the same results for the same classes. */
    String text() {
        return String.join(" ", types) + (endpoints == null ? "" : " " + ENDPOINTS);
    }

    /** Whether the headers of all classes are needed. */
    public boolean headers() {
        return !descriptors.isEmpty();
    }

    /** Whether a class may have one of the annotations, as it mentions its name. */
    boolean mentions(byte[] classFile) {
        if (ANNOTATIONS.isIn(classFile) || endpoints != null && endpoints.isIn(classFile)) {
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
