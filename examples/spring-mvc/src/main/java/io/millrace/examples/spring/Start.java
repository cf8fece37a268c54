package io.millrace.examples.spring;

import javax.servlet.FilterRegistration;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import org.springframework.web.context.AbstractContextLoaderInitializer;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.filter.CharacterEncodingFilter;

/** Found by Spring's {@code ServletContainerInitializer}: adds the root context with the guest book, and a filter. */
public final class Start extends AbstractContextLoaderInitializer {

    @Override
    public void onStartup(ServletContext context) throws ServletException {
        super.onStartup(context);
        FilterRegistration.Dynamic encoding =
                context.addFilter("encoding", new CharacterEncodingFilter("UTF-8", true, false));
        encoding.setAsyncSupported(true);
        encoding.addMappingForUrlPatterns(null, false, "/*");
    }

    @Override
    protected WebApplicationContext createRootApplicationContext() {
        AnnotationConfigWebApplicationContext root = new AnnotationConfigWebApplicationContext();
        root.register(GuestBook.class);
        return root;
    }
}
