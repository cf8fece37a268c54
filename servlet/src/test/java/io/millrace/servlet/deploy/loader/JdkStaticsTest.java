package io.millrace.servlet.deploy.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.Sources;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the JDK makes once and for all … */
final class JdkStaticsTest {

    private static final Map<String, byte[]> PROBE = Sources.compile("""
            package shop;
            import java.util.concurrent.*;
            public class Probe implements java.util.function.Consumer<String> {
                static final InheritableThreadLocal<Object> OWN = new InheritableThreadLocal<>();
                public void accept(String what) {
                    OWN.set(this);
                    try {
                        switch (what) {
                            case "delay": new CompletableFuture<String>().orTimeout(1, TimeUnit.MILLISECONDS); break;
                            case "images": javax.imageio.ImageIO.read(new java.io.ByteArrayInputStream(new byte[9])); break;
                            case "channels": java.nio.channels.AsynchronousSocketChannel.open().close(); break;
                            case "beans": java.beans.Introspector.getBeanInfo(Probe.class); break;
                            default: ForkJoinPool.commonPool().submit(() -> what).get();
                        }
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    } finally {
                        OWN.remove();
                    }
                }
            }
            """);

    /** In a fresh JVM: in this one others may have been first. */
    @Test
    @Timeout(60)
    void doesNotKeepTheApplicationThatUsesItFirst(@TempDir Path directory) throws Exception {
        for (Map.Entry<String, byte[]> file : PROBE.entrySet()) {
            Path path = directory.resolve("classes").resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Djava.awt.headless=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JdkStaticsTest.class.getName(),
                        directory.resolve("classes").toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals("kept: [] threads: []", output.strip());
    }

    /** Prints what keeps an application. */
    public static void main(String[] arguments) throws Exception {
        List<String> kept = new ArrayList<>();
        List<String> threads = new ArrayList<>();
        URL[] classes = {Path.of(arguments[0]).toUri().toURL()};
        for (String what : List.of("delay", "images", "channels", "beans", "pool")) {
            WeakReference<ClassLoader> loader = used(classes, what, threads);
            for (int i = 0; i < 100 && loader.get() != null; i++) {
                System.gc();
                LockSupport.parkNanos(20_000_000);
            }
            if (loader.get() != null) {
                kept.add(what);
            }
        }
        System.out.println("kept: " + kept + " threads: " + threads);
        System.exit(0);
    }

    @SuppressWarnings("unchecked")
    private static WeakReference<ClassLoader> used(URL[] classes, String what, List<String> threads)
            throws ReflectiveOperationException, IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (WebAppClassLoader loader =
                new WebAppClassLoader(what, classes, JdkStaticsTest.class.getClassLoader(), false)) {
            thread.setContextClassLoader(loader);
            ((Consumer<String>) loader.loadClass("shop.Probe").getConstructor().newInstance()).accept(what);
            thread.setContextClassLoader(before);
            ContextLeaks leaks = new ContextLeaks(loader);
            String left = leaks.lastingThreads();
            if (!left.isEmpty()) {
                threads.add(left);
            }
            leaks.release();
            return new WeakReference<>(loader);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
