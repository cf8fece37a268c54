package io.millrace.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** A file or directory of the file system, symbolic links resolved. */
record DiskFile(String name, Path file, boolean isDirectory, FileStamp stamp) implements ServedFile {

    @Override
    public long length() {
        return stamp.size();
    }

    @Override
    public long lastModified() {
        return stamp.modified().toMillis();
    }

    /** Does not follow a symbolic link that was created since the lookup. */
    @Override
    public InputStream open() throws IOException {
        return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    }
}
