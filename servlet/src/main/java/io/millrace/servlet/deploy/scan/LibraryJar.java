package io.millrace.servlet.deploy.scan;

import io.millrace.servlet.deploy.xml.Descriptor;
import io.millrace.servlet.deploy.xml.DescriptorReader;
import io.millrace.servlet.model.DeploymentException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One JAR of WEB-INF/lib: its fragment, and its classes if they are scanned. It stays open between the two, so that its central
 * directory is read once.
 */
public final class LibraryJar implements ClassSource, AutoCloseable {

    private static final Logger LOG = Logger.getLogger(LibraryJar.class);

    private static final String RESOURCES = "META-INF/resources/";

    private static final String TAGLIB = ".tld";

    private static final String FRAGMENT = "META-INF/web-fragment.xml";

    /** Entries whose stated size is larger are read without allocating it in advance. */
    private static final int LARGEST_CLASS = 1 << 20;

    private final Path path;
    private final JarFile zip;
    private final Descriptor fragment;

    private LibraryJar(Path path, JarFile zip) throws DeploymentException, IOException {
        this.path = path;
        this.zip = zip;
        this.fragment = readFragment();
    }

    static LibraryJar open(Path path) throws DeploymentException, IOException {
        JarFile zip = new JarFile(path.toFile(), false, ZipFile.OPEN_READ, Runtime.version());
        try {
            return new LibraryJar(path, zip);
        } catch (DeploymentException | IOException | RuntimeException e) {
            zip.close();
            throw e;
        }
    }

    private Descriptor readFragment() throws DeploymentException, IOException {
        ZipEntry entry = zip.getEntry(FRAGMENT);
        if (entry == null) {
            Descriptor none = new Descriptor(source());
            // A JAR without a fragment does not affect distributable.
            none.distributable = true;
            return none;
        }
        return DescriptorReader.read(nameOf(FRAGMENT), bytes(entry));
    }

    /** The file name. */
    public String name() {
        return String.valueOf(path().getFileName());
    }

    Path path() {
        return path;
    }

    @Override
    public String source() {
        return "WEB-INF/lib/" + path.getFileName();
    }

    /** Its web-fragment.xml; an empty descriptor if it has none. */
    public Descriptor fragment() {
        return fragment;
    }

    /** Whether it has static resources. */
    boolean hasResources() {
        return zip.stream()
                .anyMatch(entry -> !entry.isDirectory() && entry.getName().startsWith(RESOURCES));
    }

    /** Whether it has tag library descriptors (JSP 2.3, 7.3.1). */
    boolean hasTaglibs() {
        return zip.stream()
                .map(ZipEntry::getName)
                .anyMatch(name -> name.startsWith("META-INF/") && name.endsWith(TAGLIB));
    }

    /** The path of an entry in the application. */
    String nameOf(String entry) {
        return source() + "!/" + entry;
    }

    /** Whether it has an entry. */
    boolean has(String name) {
        return zip.getEntry(name) != null;
    }

    /** The contents of an entry. */
    byte[] bytes(String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            throw new FileNotFoundException(nameOf(name));
        }
        return bytes(entry);
    }

    /** The contents of a text file; empty if there is none. */
    String text(String name) throws IOException {
        return has(name) ? new String(bytes(name), StandardCharsets.UTF_8) : "";
    }

    @Override
    public @Nullable JarKey key() throws IOException {
        JarKey key = JarKey.of(path);
        return key == null || !zip.isMultiRelease()
                ? key
                : new JarKey(key.text() + "-" + Runtime.version().feature());
    }

    /** Of a multi-release jar, the classes that the class loader loads on this Java. */
    @Override
    public void visit(Visitor visitor) throws IOException {
        Stream<JarEntry> classes = zip.isMultiRelease() ? zip.versionedStream() : zip.stream();
        for (Iterator<JarEntry> entries = classes.iterator(); entries.hasNext(); ) {
            ZipEntry entry = entries.next();
            if (ClassSource.isClass(entry.getName())) {
                visitor.visit(entry.getName(), bytes(entry));
            }
        }
    }

    private byte[] bytes(ZipEntry entry) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            long size = entry.getSize();
            if (size < 0 || size > LARGEST_CLASS) {
                return in.readAllBytes();
            }
            // into one array of the exact size, as readAllBytes allocates three times as much
            byte[] bytes = new byte[(int) size];
            if (in.readNBytes(bytes, 0, bytes.length) < bytes.length || in.read() >= 0) {
                throw new ZipException(entry.getName() + " does not have the size that the archive states");
            }
            return bytes;
        }
    }

    @Override
    public void close() {
        try {
            zip.close();
        } catch (IOException e) {
            LOG.debugf(e, "failed to close %s", path);
        }
    }
}
