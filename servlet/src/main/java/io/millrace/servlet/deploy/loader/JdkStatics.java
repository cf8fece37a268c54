package io.millrace.servlet.deploy.loader;

import java.io.IOException;
import java.nio.channels.AsynchronousSocketChannel;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.prefs.Preferences;
import javax.imageio.ImageIO;
import org.jboss.logging.Logger;

/**
 * Threads and static objects of the JDK that keep for ever the context class loader of the thread that first uses them, and, until
 * Java 23, the classes on its stack: an application that happens to be the first would stay in memory after its end, through no
 * fault of its own. They are made by the server just before an application links the class that leads to them, so a server whose
 * applications do not use them pays nothing. Thread-safe.
 *
 * <p>Others in Java 17 to 25 need no care: the common pool's workers, Cleaner's and HttpURLConnection's threads have a class loader
 * of the JDK; HttpClient's threads end with the client; {@link ContextLeaks} flushes the Introspector.
 */
final class JdkStatics {

    private static final Logger LOG = Logger.getLogger(JdkStatics.class);

    /** By the class that an application links before it can use it. Removed when made. */
    private static final Map<String, Maker> MAKERS = new ConcurrentHashMap<>(Map.of(
            "java.util.concurrent.CompletableFuture", JdkStatics::delayThread,
            "java.util.concurrent.ForkJoinPool", JdkStatics::delayThread,
            "javax.imageio.ImageIO", JdkStatics::appContext,
            "javax.print.PrintServiceLookup", JdkStatics::appContext,
            "java.nio.channels.AsynchronousSocketChannel", JdkStatics::channelGroup,
            "java.nio.channels.AsynchronousServerSocketChannel", JdkStatics::channelGroup,
            "java.util.prefs.Preferences", JdkStatics::preferences));

    private JdkStatics() {}

    private interface Maker {
        void make() throws Exception;
    }

    /** Called when an application is about to link a class of the JDK. */
    static void before(String className) {
        if (!MAKERS.containsKey(className)) {
            return;
        }
        synchronized (MAKERS) { // another application waits until it is made
            Maker maker = MAKERS.get(className);
            if (maker != null) {
                make(maker, className);
                MAKERS.remove(className);
            }
        }
    }

    private static void make(Maker maker, String className) {
        Thread thread = serverThread(() -> {
            try {
                maker.make();
            } catch (Throwable e) { // a module or a native library is missing: the application will see it
                LOG.debugf(e, "The JDK's static objects behind %s cannot be made", className);
            }
        });
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A thread that inherits nothing of the current one: neither its context class loader, nor its inheritable values, nor, until
     * Java 23, the protection domains of the classes on its stack.
     */
    @SuppressWarnings("removal") // without effect from Java 24 on, where it is not needed
    private static Thread serverThread(Runnable work) {
        return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> {
            Thread thread = new Thread(null, work, "millrace-jdk", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
            return thread;
        });
    }

    /** Of {@code orTimeout} and others; in Java 25 that of the common pool. Its first delay starts it. */
    private static void delayThread() {
        CompletableFuture.delayedExecutor(1, TimeUnit.NANOSECONDS, Runnable::run)
                .execute(() -> {});
    }

    /** The default group. */
    private static void channelGroup() throws IOException {
        AsynchronousSocketChannel.open().close();
    }

    /** AWT's object of that name, which images and printers use even without a screen. */
    private static void appContext() {
        ImageIO.getCacheDirectory();
    }

    /** A timer thread that writes them. */
    private static void preferences() {
        Preferences.userRoot();
    }
}
