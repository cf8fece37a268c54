package io.millrace.servlet.resource;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory of a jar.
 *
 * @param entry null for a directory
 */
record JarResource(
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
