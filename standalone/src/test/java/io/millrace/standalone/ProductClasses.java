package io.millrace.standalone;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The distribution's jars in a class loader beside that of the tests: applications see what they see in the product, not the
 * libraries of the tests. Products that run at the same time have one each; it is kept for the next product, since the code
 * in it is loaded and compiled. What is global in a JVM is divided among them: System.out, System.err and java.util.logging by
 * the thread's context class loader, system properties by being restored when no product runs.
 */
final class ProductClasses extends URLClassLoader {

    private static final Path LIB =
            Path.of(System.getProperty("millrace.dist", "")).resolve("lib");

    /** What a product sets for its base directory, unless it is set. */
    private static final List<String> OF_BASE = List.of("catalina.base", "catalina.home");

    private static final String CLASS_PATH = "java.class.path";

    private static final Object LOCK = new Object();
    private static final Deque<ProductClasses> FREE = new ArrayDeque<>();
    private static final Properties ORIGINAL = new Properties();
    private static int running;

    static {
        System.setOut(new PrintStream(new Divided(System.out, 0), true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(new Divided(System.err, 1), true, StandardCharsets.UTF_8));
        Logger root = Logger.getLogger("");
        Handler divided = new DividedLog(List.of(root.getHandlers()));
        Arrays.stream(root.getHandlers()).forEach(root::removeHandler);
        root.addHandler(divided);
    }

    private final Handler log;

    /** Of System.out and System.err; empty while no product has these classes. */
    private volatile List<Writer> streams = List.of();

    private ProductClasses(URL... jars) {
        super("product", jars, getPlatformClassLoader());
        try {
            log = (Handler) loadClass("io.millrace.standalone.log.ServerLogHandler")
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("run mvn package in the module standalone first", e);
        }
    }

    /** For a product that is about to start, until {@link #release}. */
    static ProductClasses acquire(ProductLines lines) throws IOException {
        synchronized (LOCK) {
            List<Path> jars = jars();
            if (running == 0) {
                ORIGINAL.clear();
                ORIGINAL.putAll(System.getProperties());
                System.setProperty(
                        CLASS_PATH, jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
            }
            OF_BASE.forEach(System::clearProperty);
            ProductClasses free = FREE.poll();
            ProductClasses classes = free == null ? create(jars) : free;
            classes.streams = List.of(lines.writer(), lines.writer());
            running++;
            return classes;
        }
    }

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(LIB)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    private static ProductClasses create(List<Path> jars) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
        return new ProductClasses(urls.toArray(URL[]::new));
    }

    /** Calls {@link Main#embed} of these classes. */
    int embed(PrintWriter out, PrintWriter err, Consumer<Consumer<Duration>> stops, String... arguments)
            throws Throwable {
        try {
            return (int) loadClass(Main.class.getName())
                    .getMethod("embed", PrintWriter.class, PrintWriter.class, Consumer.class, String[].class)
                    .invoke(null, out, err, stops, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** The product has ended. */
    void release() {
        synchronized (LOCK) {
            streams = List.of();
            FREE.push(this);
            if (--running == 0) {
                Properties current = System.getProperties();
                current.keySet().retainAll(ORIGINAL.keySet());
                current.putAll(Map.copyOf(ORIGINAL));
            }
        }
    }

    /** Those of the product that the current thread belongs to; null if it belongs to none. */
    private static @Nullable ProductClasses current() {
        for (ClassLoader each = Thread.currentThread().getContextClassLoader(); each != null; each = each.getParent()) {
            if (each instanceof ProductClasses classes) {
                return classes;
            }
        }
        return null;
    }

    /** System.out or System.err, divided among the products and the tests. */
    private static final class Divided extends OutputStream {

        private final PrintStream tests;
        private final int number;

        Divided(PrintStream tests, int number) {
            this.tests = tests;
            this.number = number;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            ProductClasses classes = current();
            List<Writer> streams = classes == null ? List.of() : classes.streams;
            if (streams.isEmpty()) {
                tests.write(bytes, offset, length);
            } else {
                streams.get(number).write(new String(bytes, offset, length, StandardCharsets.UTF_8));
            }
        }

        @Override
        public void flush() {
            tests.flush();
        }
    }

    /** The handler of the root logger. */
    private static final class DividedLog extends Handler {

        private final List<Handler> tests;

        DividedLog(List<Handler> tests) {
            this.tests = tests;
        }

        @Override
        public void publish(LogRecord entry) {
            ProductClasses classes = current();
            if (classes == null) {
                tests.forEach(handler -> handler.publish(entry));
            } else {
                classes.log.publish(entry);
            }
        }

        @Override
        public void flush() {
            tests.forEach(Handler::flush);
        }

        @Override
        public void close() {
            tests.forEach(Handler::close);
        }
    }
}
