package io.millrace.standalone.config;

import java.util.List;

/** Finds the users file of a realm. */
final class UsersFileSetting {

    /** The factory of a user database in a file. */
    static final String FACTORY = "org.apache.catalina.users.MemoryUserDatabaseFactory";

    private static final String DEFAULT_PATH = "conf/tomcat-users.xml";

    private UsersFileSetting() {}

    /**
     * Returns its path, relative to the base directory.
     *
     * @param global the Resource elements of GlobalNamingResources
     */
    static String pathName(String type, Values realm, List<ConfigElement> global) {
        if (type.equals("MemoryRealm")) {
            return realm.text("pathname", DEFAULT_PATH);
        }
        String name = realm.text("resourceName", "UserDatabase");
        return global.stream()
                .filter(UsersFileSetting::isUserDatabase)
                .filter(resource -> name.equals(resource.value("name")))
                .map(resource -> resource.value("pathname"))
                .filter(path -> path != null)
                .findFirst()
                .orElse(DEFAULT_PATH);
    }

    static boolean isUserDatabase(ConfigElement resource) {
        return resource.name().equals("Resource") && "org.apache.catalina.UserDatabase".equals(resource.value("type"));
    }
}
