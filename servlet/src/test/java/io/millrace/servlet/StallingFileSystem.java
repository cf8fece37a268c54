package io.millrace.servlet;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The default file system, read only, which keeps whoever asks for attributes or opens a file waiting while it stalls. */
final class StallingFileSystem extends FileSystem {

    private final Provider provider = new Provider();
    private volatile CountDownLatch running = new CountDownLatch(0);

    /** A path here for one of the default file system. */
    Path path(Path real) {
        return (Path) Proxy.newProxyInstance(
                StallingFileSystem.class.getClassLoader(),
                new Class<?>[] {Stalling.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("getFileSystem")) {
                        return this;
                    }
                    if (method.getName().equals("real")) {
                        return real;
                    }
                    Object[] given = arguments == null ? new Object[0] : arguments.clone();
                    for (int i = 0; i < given.length; i++) {
                        given[i] = given[i] instanceof Stalling other ? other.real() : given[i];
                    }
                    try {
                        Object result = method.invoke(real, given);
                        return result instanceof Path path ? path(path) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Public for the proxy. */
    public interface Stalling extends Path {
        Path real();
    }

    void stall() {
        running = new CountDownLatch(1);
    }

    void goOn() {
        running.countDown();
    }

    private Path awaited(Path path) {
        try {
            running.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return ((Stalling) path).real();
    }

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException();
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic");
    }

    @Override
    public Path getPath(String first, String... more) {
        return path(Path.of(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
        throw unsupported();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw unsupported();
    }

    @Override
    public WatchService newWatchService() {
        throw unsupported();
    }

    private final class Provider extends FileSystemProvider {

        @Override
        public String getScheme() {
            return "stalling";
        }

        @Override
        public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
            throw unsupported();
        }

        @Override
        public FileSystem getFileSystem(URI uri) {
            return StallingFileSystem.this;
        }

        @Override
        public Path getPath(URI uri) {
            throw unsupported();
        }

        @Override
        public SeekableByteChannel newByteChannel(
                Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
            return Files.newByteChannel(awaited(path), options, attributes);
        }

        @Override
        public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            return FileChannel.open(awaited(path), options, attributes);
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter) {
            throw unsupported();
        }

        @Override
        public void createDirectory(Path path, FileAttribute<?>... attributes) {
            throw unsupported();
        }

        @Override
        public void delete(Path path) {
            throw unsupported();
        }

        @Override
        public void copy(Path source, Path target, CopyOption... options) {
            throw unsupported();
        }

        @Override
        public void move(Path source, Path target, CopyOption... options) {
            throw unsupported();
        }

        @Override
        public boolean isSameFile(Path path, Path other) {
            return path.equals(other);
        }

        @Override
        public boolean isHidden(Path path) {
            return false;
        }

        @Override
        public FileStore getFileStore(Path path) throws IOException {
            return Files.getFileStore(awaited(path));
        }

        @Override
        public void checkAccess(Path path, AccessMode... modes) throws IOException {
            Path real = awaited(path);
            real.getFileSystem().provider().checkAccess(real, modes);
        }

        @Override
        public <V extends FileAttributeView> @Nullable V getFileAttributeView(
                Path path, Class<V> type, LinkOption... options) {
            return Files.getFileAttributeView(awaited(path), type, options);
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            return Files.readAttributes(awaited(path), type, options);
        }

        @Override
        public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
                throws IOException {
            return Files.readAttributes(awaited(path), attributes, options);
        }

        @Override
        public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
            throw unsupported();
        }
    }
}
