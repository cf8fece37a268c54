package org.apache.catalina.loader;

import java.net.URL;
import java.net.URLClassLoader;

/**
 * The name of Tomcat's class loader of an application, for applications that ask whether theirs is one and are ready to hear
 * that it is not. There is never one.
 */
public abstract class WebappClassLoader extends URLClassLoader {

    private WebappClassLoader() {
        super(new URL[0]);
    }
}
