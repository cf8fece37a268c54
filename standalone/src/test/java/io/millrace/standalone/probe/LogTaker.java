package io.millrace.standalone.probe;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;

/** Does to java.util.logging what logging systems in applications do, and what they had better not do. */
public class LogTaker implements ServletContextListener {

    private static final Logger LOG = Logger.getLogger("com.example.taker");

    @Override
    public void contextInitialized(ServletContextEvent event) {
        LOG.info("logged\nby java.util.logging");
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        Logger root = LogManager.getLogManager().getLogger("");
        takeHandlers(root);
        root.addHandler(new Bridge());
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        Logger root = LogManager.getLogManager().getLogger("");
        takeHandlers(root);
        LogManager.getLogManager().reset();
        try {
            LogManager.getLogManager().readConfiguration();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        for (Logger at = LOG; at != null; at = at.getParent()) {
            takeHandlers(at);
        }
        Logger.getLogger("com.example.forgotten").addHandler(new Bridge());
    }

    private static void takeHandlers(Logger logger) {
        for (Handler handler : logger.getHandlers()) {
            logger.removeHandler(handler);
            handler.close();
        }
    }

    /** Whose class would keep the application's classes in memory. */
    public static final class Bridge extends Handler {

        @Override
        public void publish(LogRecord entry) {}

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
