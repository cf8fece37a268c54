package io.millrace.servlet.deploy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.jboss.jandex.Index;
import org.jboss.jandex.Indexer;
import org.jboss.logging.Logger;

/**
 * Indexes the classes of one place. If nobody asks for types, only those that mention the Servlet API's annotations are
 * indexed: looking through a class's bytes for that costs a tenth of indexing it.
 *
 * <p>A place is scanned by one thread; an index kept from an earlier start can take the place of a scan.
 */
final class ClassScan implements ClassSource.Visitor {

    private static final Logger LOG = Logger.getLogger(ClassScan.class);

    /** Of javax.servlet and of jakarta.servlet. */
    private static final BytePattern ANNOTATIONS = new BytePattern("/servlet/annotation/");

    private final Indexer indexer = new Indexer();
    private final String source;
    private final boolean all;

    private ClassScan(String source, boolean all) {
        this.source = source;
        this.all = all;
    }

    /** @param all index every class */
    static Index scan(ClassSource place, boolean all) throws IOException {
        ClassScan scan = new ClassScan(place.source(), all);
        place.visit(scan);
        return scan.indexer.complete();
    }

    @Override
    public void visit(String path, byte[] classFile) {
        if (!all && !ANNOTATIONS.isIn(classFile)) {
            return;
        }
        try {
            indexer.index(new ByteArrayInputStream(classFile));
        } catch (IOException | RuntimeException e) {
            // Too new, or obfuscated beyond the format: it can still be loaded, or nobody loads it.
            LOG.debugf(e, "%s in %s cannot be indexed", path, source);
        }
    }
}
