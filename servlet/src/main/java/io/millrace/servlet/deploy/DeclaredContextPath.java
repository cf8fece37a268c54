package io.millrace.servlet.deploy;

import io.millrace.servlet.deploy.xml.DescriptorReader;
import io.millrace.servlet.model.DeploymentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The {@code default-context-path} of an application's web.xml (Servlet 4.0, 14.4), for deployments that set no context path. */
public final class DeclaredContextPath {

    private static final Logger LOG = Logger.getLogger(DeclaredContextPath.class);
    private static final String WEB_XML = "WEB-INF/web.xml";

    private DeclaredContextPath() {}

    /**
     * Reads the element. Blocks for file I/O.
     *
     * @param war a WAR file, or a directory with an unpacked one
     * @return empty for the root context; null if web.xml has no such element or an invalid one, or if the file cannot be
     *     read: the start of the application reports that
     */
    public static @Nullable String of(Path war) {
        try {
            byte[] bytes = webXml(war);
            String path = bytes == null ? null : DescriptorReader.read(WEB_XML, bytes).defaultContextPath;
            return path == null || path.matches("(/[^/]+)*") ? path : null;
        } catch (IOException | DeploymentException e) {
            LOG.debugf(e, "%s of %s can't be read", WEB_XML, war);
            return null;
        }
    }

    private static byte @Nullable [] webXml(Path war) throws IOException {
        if (Files.isDirectory(war)) {
            Path file = war.resolve(WEB_XML);
            return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
        }
        try (ZipFile zip = new ZipFile(war.toFile())) {
            ZipEntry entry = zip.getEntry(WEB_XML);
            if (entry == null) {
                return null;
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return in.readAllBytes();
            }
        }
    }
}
