package io.millrace.standalone.log;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.apache.juli.ClassLoaderLogManager;

/**
 * Tomcat's log manager, which has separate loggers for each application, so that an application cannot change the logging of
 * others. Unless the operator configures java.util.logging, the server's root logger has a {@link ServerLogHandler}. The system
 * property {@code java.util.logging.manager} must name this class.
 */
public final class ServerLogManager extends ClassLoaderLogManager {

    private static final String CONFIGURATION = "handlers=" + ServerLogHandler.class.getName() + "\n.level=INFO\n";

    /** Called by java.util.logging. */
    public ServerLogManager() {}

    static boolean isConfiguredByOperator() {
        return System.getProperty("java.util.logging.config.file") != null;
    }

    @Override
    protected synchronized void readConfiguration(InputStream file, ClassLoader loader) throws IOException {
        boolean ofServer = loader.equals(ClassLoader.getSystemClassLoader());
        if (ofServer && !isConfiguredByOperator()) {
            super.readConfiguration(
                    new ByteArrayInputStream(CONFIGURATION.getBytes(StandardCharsets.ISO_8859_1)), loader);
            return;
        }
        Properties properties = new Properties();
        try (file) {
            properties.load(file);
        }
        properties = withOwnHandlers(properties);
        if (ofServer && StderrLog.isJson()) {
            formatAll(properties, JsonFormatter.class.getName());
        }
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        properties.store(changed, null);
        super.readConfiguration(new ByteArrayInputStream(changed.toByteArray()), loader);
    }

    /** With the server's handlers in place of juli's, under whose names they are configured. */
    private static Properties withOwnHandlers(Properties properties) {
        Properties own = new Properties();
        for (String key : properties.stringPropertyNames()) {
            String value = properties.getProperty(key);
            own.setProperty(own(key), key.endsWith("handlers") ? own(value) : value);
        }
        return own;
    }

    private static String own(String text) {
        return text.replace("org.apache.juli.AsyncFileHandler", LogFileHandler.Async.class.getName())
                .replace("org.apache.juli.FileHandler", LogFileHandler.class.getName());
    }

    /** Gives all handlers the same formatter, whatever the file says. */
    private static void formatAll(Properties properties, String formatter) {
        for (String key : properties.stringPropertyNames()) {
            if (key.equals("handlers") || key.endsWith(".handlers")) {
                for (String handler : properties.getProperty(key).split(",", -1)) {
                    properties.setProperty(handler.strip() + ".formatter", formatter);
                }
            }
        }
    }

    /**
     * Closes the handlers of an application that has stopped and removes its loggers, which would keep its classes in memory. Does
     * nothing if another log manager is installed.
     *
     * @param application its class loader
     */
    public static void release(ClassLoader application) {
        if (LogManager.getLogManager() instanceof ServerLogManager manager) {
            manager.end(application);
        }
    }

    /**
     * The loggers of this name of all applications that log by java.util.logging; they are made where they are not. Empty if another
     * log manager is installed.
     */
    public static List<Logger> everywhere(String name) {
        List<Logger> found = new ArrayList<>();
        if (LogManager.getLogManager() instanceof ServerLogManager manager) {
            for (ClassLoader application : manager.applications()) {
                as(application, () -> found.add(Logger.getLogger(name)));
            }
        }
        return found;
    }

    private synchronized List<ClassLoader> applications() {
        List<ClassLoader> all = new ArrayList<>(classLoaderLoggers.keySet());
        all.remove(ClassLoader.getSystemClassLoader());
        return all;
    }

    private static void as(ClassLoader application, Runnable action) {
        Thread thread = Thread.currentThread();
        ClassLoader context = thread.getContextClassLoader();
        thread.setContextClassLoader(application);
        try {
            action.run();
        } finally {
            thread.setContextClassLoader(context);
        }
    }

    private void end(ClassLoader application) {
        as(application, this::reset);
        synchronized (this) {
            classLoaderLoggers.remove(application);
        }
    }
}
