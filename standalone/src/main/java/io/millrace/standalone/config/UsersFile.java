package io.millrace.standalone.config;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the users file that the realms of an Engine or a Host mean. */
final class UsersFile {

    private static final String DEFAULT_PATH = "conf/tomcat-users.xml";

    private UsersFile() {}

    /** The file, or null if no realm here reads one. */
    static @Nullable Path of(XmlElement container, XmlElement server, Path base) {
        Optional<Path> file = realms(container)
                .map(realm -> pathName(realm, server))
                .flatMap(Optional::stream)
                .map(base::resolve)
                .findFirst();
        return file.orElse(null);
    }

    private static Stream<XmlElement> realms(XmlElement container) {
        return container.children("Realm").stream().flatMap(realm -> Stream.concat(Stream.of(realm), realms(realm)));
    }

    private static Optional<String> pathName(XmlElement realm, XmlElement server) {
        String type = String.valueOf(realm.value("className"));
        if (type.endsWith(".MemoryRealm")) {
            String path = realm.value("pathname");
            return Optional.of(path == null ? DEFAULT_PATH : path);
        }
        if (!type.endsWith(".UserDatabaseRealm")) {
            return Optional.empty();
        }
        String name = realm.value("resourceName");
        return Optional.of(server.children("GlobalNamingResources").stream()
                .flatMap(resources -> resources.children("Resource").stream())
                .filter(UsersFile::isUserDatabase)
                .filter(resource -> String.valueOf(name).equals(resource.value("name")))
                .map(resource -> String.valueOf(resource.value("pathname")))
                .findFirst()
                .orElse(DEFAULT_PATH));
    }

    static boolean isUserDatabase(XmlElement resource) {
        return resource.name().equals("Resource") && "org.apache.catalina.UserDatabase".equals(resource.value("type"));
    }
}
