package io.millrace.jsp;

import javax.annotation.Resource;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import org.jspecify.annotations.Nullable;

/** A listener that a tag library declares. */
public final class TaglibListener implements ServletContextListener {

    @Resource(name = "greeting")
    private @Nullable String greeting;

    @Override
    public void contextInitialized(ServletContextEvent event) {
        event.getServletContext().setAttribute("heard", "heard " + greeting);
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        GreetingTag.told(event.getServletContext()).add("destroyed");
    }
}
