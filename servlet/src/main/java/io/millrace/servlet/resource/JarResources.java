package io.millrace.servlet.resource;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** A directory of a jar, such as {@code META-INF/resources}. The jar stays open until this is closed. Thread-safe. */
final class JarResources implements Closeable {

    /** The path of resources in libraries. */
    static final String OF_LIBRARIES = "/META-INF/resources";

    /** Its URL, with a trailing {@code !} */
    private final String jar;

    private final ZipFile zip;
    /** Begins with a slash, without trailing slash; empty for the whole JAR. */
    private final String root;
    /** The paths directly below each directory, all without trailing slash; empty for the root. */
    private final Map<String, Set<String>> directories;

    private JarResources(String jar, ZipFile zip, String root, Map<String, Set<String>> directories) {
        this.jar = jar;
        this.zip = zip;
        this.root = root;
        this.directories = directories;
    }

    /** Opens a JAR; null if it has no resources. */
    @SuppressWarnings("resource") // the caller closes it
    static @Nullable JarResources open(Path jar, String root) throws IOException {
        return open("jar:" + jar.toUri() + "!", new ZipFile(jar.toFile()), root);
    }

    /**
     * Opens a JAR that may be inside of another one; null if it has no resources.
     *
     * @param jar its file, or the URL of its root, which ends with {@code !/}
     */
    static @Nullable JarResources open(URL jar, String root) throws IOException {
        String text = jar.toString();
        String of = text.endsWith("!/") ? text : "jar:" + text + "!/";
        URLConnection connection = new URL(of).openConnection();
        if (!(connection instanceof JarURLConnection opened)) {
            throw new IOException(of + " is not the URL of a JAR");
        }
        opened.setUseCaches(false);
        return open(of.substring(0, of.length() - 1), opened.getJarFile(), root);
    }

    private static @Nullable JarResources open(String jar, ZipFile zip, String root) throws IOException {
        Map<String, Set<String>> directories = new HashMap<>();
        zip.stream()
                .map(entry -> "/" + entry.getName())
                .filter(name -> name.startsWith(root + "/"))
                .forEach(name -> {
                    String path = name.substring(root.length());
                    register(path.endsWith("/") ? path + "." : path, directories);
                });
        if (directories.isEmpty()) {
            zip.close();
            return null;
        }
        return new JarResources(jar, zip, root, directories);
    }

    /**
     * The resource at a path; null if there is none.
     *
     * @param path begins with a slash, without trailing slash; empty for the root
     * @param name the name of the resource
     */
    @Nullable
    Resource find(String path, String name) {
        String full = root + path;
        ZipEntry entry = full.isEmpty() ? null : zip.getEntry(full.substring(1));
        boolean directory = directories.containsKey(path);
        if (!directory && (entry == null || entry.isDirectory())) {
            return null;
        }
        return new JarResource(name, directory, zip, directory ? null : entry, url(path));
    }

    /** The paths directly below a directory, those of directories with a trailing slash. */
    Set<String> list(String directory) {
        Set<String> paths = new TreeSet<>();
        for (String path : directories.getOrDefault(directory, Set.of())) {
            paths.add(directories.containsKey(path) ? path + "/" : path);
        }
        return paths;
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    private static void register(String path, Map<String, Set<String>> directories) {
        int slash = path.lastIndexOf('/');
        String parent = path.substring(0, Math.max(0, slash));
        boolean known = directories.containsKey(parent);
        Set<String> below = directories.computeIfAbsent(parent, key -> new TreeSet<>());
        if (!path.endsWith("/.")) {
            below.add(path);
        }
        if (!known && !parent.isEmpty()) {
            register(parent, directories);
        }
    }

    private URL url(String path) {
        try {
            String encoded =
                    new URI(null, null, root + path + (root.isEmpty() && path.isEmpty() ? "/" : ""), null).getRawPath();
            return new URL(jar + encoded);
        } catch (URISyntaxException | MalformedURLException e) {
            throw new IllegalStateException("the entry " + path + " of " + jar + " cannot be converted to a URL", e);
        }
    }

    /**
     * A file or directory of a jar.
     *
     * @param entry null for a directory
     */
    private record JarResource(
            String name,
            boolean isDirectory,
            ZipFile zip,
            @Nullable ZipEntry entry,
            URL url) implements Resource {

        /** An open jar does not change, so the entry's checksum identifies its content. */
        @Override
        public Object stamp() {
            return entry == null ? url() : List.of(zip.getName(), entry.getName(), entry.getCrc());
        }

        @Override
        public long length() {
            return entry == null ? 0 : entry.getSize();
        }

        @Override
        public long lastModified() {
            return entry == null ? 0 : entry.getTime();
        }

        @Override
        public InputStream open() throws IOException {
            InputStream in = entry == null ? null : zip.getInputStream(entry);
            if (in == null) {
                throw new FileNotFoundException(url + " is a directory, or no longer in the jar");
            }
            return in;
        }

        @Override
        public @Nullable Path file() {
            return null;
        }
    }
}
