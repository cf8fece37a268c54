package io.millrace.servlet.deploy.scan;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jboss.jandex.Indexer;
import org.jboss.logging.Logger;

/**
 * Scans the classes of one place. Not thread-safe. Only classes that mention a relevant annotation are indexed; of the others the
 * header is read, and only if an initializer handles types. Searching a class's bytes costs a tenth of indexing it, and in most
 * JARs no class is indexed.
 */
final class ClassScan implements ClassSource.Visitor {

    private static final Logger LOG = Logger.getLogger(ClassScan.class);

    private final Indexer indexer = new Indexer();
    private final List<ClassHeader> headers = new ArrayList<>();
    private final String source;
    private final ScanTarget target;

    private ClassScan(String source, ScanTarget target) {
        this.source = source;
        this.target = target;
    }

    static ScannedPlace scan(ClassSource place, ScanTarget target) throws IOException {
        ClassScan scan = new ClassScan(place.source(), target);
        place.visit(scan);
        return new ScannedPlace(scan.indexer.complete(), scan.headers);
    }

    @Override
    public void visit(String path, byte[] classFile) {
        try {
            if (target.headers()) {
                headers.add(ClassHeader.read(classFile));
            }
            if (target.mentions(classFile)) {
                indexer.index(new ByteArrayInputStream(classFile));
            }
        } catch (IOException | RuntimeException e) {
            // Too new, or obfuscated: loading it may succeed, or is never needed.
            LOG.debugf(e, "%s in %s cannot be read", path, source);
        }
    }
}
