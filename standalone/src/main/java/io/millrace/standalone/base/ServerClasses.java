package io.millrace.standalone.base;

import io.millrace.servlet.deploy.loader.SharedClassLoader;
import java.net.URL;
import java.util.List;

/**
 * The class loaders of Tomcat's tree between the server's class path and the applications.
 *
 * @param server of realms and of GlobalNamingResources
 * @param shared the parent of applications
 */
public record ServerClasses(ClassLoader server, ClassLoader shared) {

    /** The server's class path and nothing else. */
    public static final ServerClasses INSTALLED =
            new ServerClasses(ServerClasses.class.getClassLoader(), ServerClasses.class.getClassLoader());

    static ServerClasses of(List<URL> common, List<URL> server, List<URL> shared) {
        ClassLoader ofAll = loader("common", common, INSTALLED.server);
        return new ServerClasses(loader("server", server, ofAll), loader("shared", shared, ofAll));
    }

    private static ClassLoader loader(String name, List<URL> urls, ClassLoader parent) {
        return urls.isEmpty() ? parent : new SharedClassLoader(name, urls.toArray(URL[]::new), parent);
    }
}
