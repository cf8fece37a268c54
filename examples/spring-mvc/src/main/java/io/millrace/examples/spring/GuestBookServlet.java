package io.millrace.examples.spring;

import javax.servlet.annotation.MultipartConfig;
import javax.servlet.annotation.WebInitParam;
import javax.servlet.annotation.WebServlet;
import org.springframework.web.servlet.DispatcherServlet;

/** Spring's servlet as the default servlet, with uploads in a directory relative to the application's temporary one. */
@WebServlet(
        urlPatterns = "/",
        loadOnStartup = 1,
        asyncSupported = true,
        initParams = {
            @WebInitParam(
                    name = "contextClass",
                    value = "org.springframework.web.context.support.AnnotationConfigWebApplicationContext"),
            @WebInitParam(name = "contextConfigLocation", value = "io.millrace.examples.spring.WebConfiguration")
        })
@MultipartConfig(location = "uploads", maxFileSize = 64 * 1024, fileSizeThreshold = 1024)
public class GuestBookServlet extends DispatcherServlet {}
