package io.millrace.servlet.files;

import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.servlet.ServletConfig;
import javax.servlet.ServletException;
import javax.xml.XMLConstants;
import javax.xml.transform.ErrorListener;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamSource;
import org.jspecify.annotations.Nullable;

/**
 * The XSLT stylesheets of listings, by Tomcat's init parameters: {@code localXsltFile} in the directory itself, else
 * {@code contextXsltFile} in the application, else {@code globalXsltFile} in the server's {@code conf}. Stylesheets can't call
 * Java, read other files or connect to servers. Thread-safe.
 */
final class ListingStylesheets {

    /** The largest stylesheet in bytes. */
    private static final int MAX_SIZE = 1 << 20;

    /** The number of cached stylesheets, each of which is at least one class. */
    private static final int MAX_KEPT = 32;

    private final ResourceTree resources;
    private final @Nullable String local;
    private final @Nullable String context;
    private final @Nullable Path global;

    /** The cache by location, least recently used first. Guarded by itself. */
    private final Map<Object, Compiled> kept = new LinkedHashMap<>(16, 0.75f, true);

    private record Compiled(Object stamp, Templates templates) {}

    private ListingStylesheets(
            ResourceTree resources, @Nullable String local, @Nullable String context, @Nullable Path global) {
        this.resources = resources;
        this.local = local;
        this.context = context;
        this.global = global;
    }

    /**
     * Reads the parameters.
     *
     * @throws ServletException if globalXsltFile is not a stylesheet below conf, as it is read with the server's permissions
     */
    static ListingStylesheets of(ServletConfig config, ResourceTree resources) throws ServletException {
        String name = config.getInitParameter("globalXsltFile");
        Path file = name == null ? null : global(name.strip());
        if (name != null && file == null) {
            throw new ServletException("servlet \"" + config.getServletName() + "\": globalXsltFile is \"" + name
                    + "\"; expected a file below conf of the base directory whose name ends with .xsl or .xslt");
        }
        return new ListingStylesheets(
                resources, config.getInitParameter("localXsltFile"), config.getInitParameter("contextXsltFile"), file);
    }

    private static @Nullable Path global(String name) {
        String base = System.getProperty("catalina.base");
        if (base == null || !name.endsWith(".xsl") && !name.endsWith(".xslt")) {
            return null;
        }
        Path conf = Path.of(base, "conf").toAbsolutePath().normalize();
        Path file = conf.resolve(name).normalize();
        return file.startsWith(conf) ? file : null;
    }

    /** True for a stylesheet, which listings don't show. */
    boolean isLocal(String name) {
        return name.equalsIgnoreCase(local);
    }

    /**
     * The stylesheet for a directory; null if there is none.
     *
     * @param directory with a trailing slash
     * @throws IOException if it can't be read or is not a stylesheet
     */
    @Nullable
    Templates of(String directory) throws IOException {
        Resource resource = find(local == null ? null : directory + local);
        if (resource == null) {
            resource = find(context);
        }
        if (resource != null) {
            try (InputStream in = resource.open()) {
                return compiled(resource.url(), resource.stamp(), in);
            }
        }
        if (global == null || !Files.isRegularFile(global, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        try (InputStream in = Files.newInputStream(global, LinkOption.NOFOLLOW_LINKS)) {
            return compiled(global, Files.getLastModifiedTime(global), in);
        }
    }

    private @Nullable Resource find(@Nullable String path) {
        Resource found = path == null ? null : resources.find(path);
        return found == null || found.isDirectory() ? null : found;
    }

    private Templates compiled(Object place, Object stamp, InputStream in) throws IOException {
        String key = place.toString();
        synchronized (kept) {
            Compiled known = kept.get(key);
            if (known != null && known.stamp().equals(stamp)) {
                return known.templates();
            }
        }
        byte[] bytes = in.readNBytes(MAX_SIZE + 1);
        if (bytes.length > MAX_SIZE) {
            throw new IOException("the stylesheet " + key + " has more than " + MAX_SIZE + " bytes");
        }
        Templates templates = compile(key, bytes);
        synchronized (kept) {
            kept.put(key, new Compiled(stamp, templates));
            if (kept.size() > MAX_KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        return templates;
    }

    private static Templates compile(String name, byte[] bytes) throws IOException {
        try {
            // the JDK's implementation, not one of the application
            TransformerFactory factory = TransformerFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_STYLESHEET, "");
            factory.setURIResolver((href, base) -> {
                throw new TransformerException("a stylesheet of listings may not read " + href);
            });
            factory.setErrorListener(new Strict());
            return factory.newTemplates(new StreamSource(new ByteArrayInputStream(bytes)));
        } catch (TransformerConfigurationException e) {
            throw new IOException("the stylesheet " + name + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** Stops at errors, without output; the JDK's default writes to stderr and continues. */
    static final class Strict implements ErrorListener {
        @Override
        public void warning(TransformerException e) {}

        @Override
        public void error(TransformerException e) throws TransformerException {
            throw e;
        }

        @Override
        public void fatalError(TransformerException e) throws TransformerException {
            throw e;
        }
    }
}
