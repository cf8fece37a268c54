package io.millrace.standalone.probe;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;

/** Lets the application start only when a file is there, if its descriptor names one. */
public class SlowStart implements ServletContextListener {

    @Override
    public void contextInitialized(ServletContextEvent event) {
        String file = event.getServletContext().getInitParameter("startsWith");
        while (file != null && !file.isEmpty() && Files.notExists(Path.of(file))) {
            LockSupport.parkNanos(2_000_000);
        }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {}
}
