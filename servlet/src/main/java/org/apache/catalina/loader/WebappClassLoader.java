package org.apache.catalina.loader;

import java.net.URL;
import java.net.URLClassLoader;

/**
 * The name of Tomcat's class loader of an application, for applications that test with {@code instanceof} whether they run on
 * Tomcat. It has no instances.
 */
public abstract class WebappClassLoader extends URLClassLoader {

    private WebappClassLoader() {
        super(new URL[0]);
    }
}
