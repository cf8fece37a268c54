package io.millrace.files;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A file that does not exist on disk. */
record MadeUpFile(String name, long length) implements ServedFile {

    private static final FileRules RULES = new FileRules(name -> null, List.of(), true, true);
    private static final List<String> KEYS =
            IntStream.range(0, 100_000).mapToObj(i -> "/files/number/" + i).toList();

    private static final byte[] ZEROS = new byte[512 << 10];

    static CachedFile known(int number, long length) {
        ServedFile file = new MadeUpFile(key(number), length);
        return new CachedFile(file.name(), List.of(RULES.plain(file, false)));
    }

    static String key(int number) {
        return KEYS.get(number);
    }

    @Override
    public boolean isDirectory() {
        return false;
    }

    @Override
    public long lastModified() {
        return 0;
    }

    @Override
    public Object stamp() {
        return name;
    }

    @Override
    public @Nullable Path file() {
        return null;
    }

    @Override
    public InputStream open() {
        return new ByteArrayInputStream(ZEROS, 0, (int) length);
    }
}
