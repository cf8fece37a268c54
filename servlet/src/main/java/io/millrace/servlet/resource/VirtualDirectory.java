package io.millrace.servlet.resource;

import java.io.FileNotFoundException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A directory that exists only because something is mounted below it. */
record VirtualDirectory(String name, Path docBase, String path) implements Resource {

    @Override
    public Object stamp() {
        return path;
    }

    @Override
    public boolean isDirectory() {
        return true;
    }

    @Override
    public long length() {
        return 0;
    }

    @Override
    public long lastModified() {
        return 0;
    }

    @Override
    public InputStream open() throws FileNotFoundException {
        throw new FileNotFoundException(path);
    }

    @Override
    public @Nullable Path file() {
        return null;
    }

    /** The URL that the directory would have. */
    @Override
    public URL url() {
        try {
            return docBase.resolve(path.substring(1)).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("the path " + path + " cannot be converted to a URL", e);
        }
    }
}
