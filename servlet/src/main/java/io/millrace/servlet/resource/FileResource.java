package io.millrace.servlet.resource;

import io.millrace.files.FileStamp;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file or directory of the document base.
 *
 * @param file with symbolic links resolved
 */
record FileResource(String name, Path file, BasicFileAttributes attributes) implements Resource {

    @Override
    public Object stamp() {
        return FileStamp.of(attributes);
    }

    @Override
    public boolean isDirectory() {
        return attributes.isDirectory();
    }

    @Override
    public long length() {
        return attributes.size();
    }

    @Override
    public long lastModified() {
        return attributes.lastModifiedTime().toMillis();
    }

    /** Does not follow a symbolic link that has replaced the file since it was found. */
    @Override
    public InputStream open() throws IOException {
        return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public URL url() {
        try {
            return file.toUri().toURL();
        } catch (java.net.MalformedURLException e) {
            throw new IllegalStateException("the path " + file + " cannot be converted to a URL", e);
        }
    }
}
