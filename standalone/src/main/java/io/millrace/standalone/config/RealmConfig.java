package io.millrace.standalone.config;

import io.millrace.servlet.identity.PasswordFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Realm element: who may log in.
 *
 * @param passwords as its CredentialHandler has them
 * @param usersFile of one that reads users, or the configuration of JAAS, from a file
 * @param dataSource attributes of the Resource that a DataSourceRealm names
 * @param nested the realms in it
 */
public record RealmConfig(
        Kind kind,
        Values values,
        PasswordFormat passwords,
        @Nullable Path usersFile,
        Map<String, String> dataSource,
        List<RealmConfig> nested) {

    /** Which of Tomcat's. */
    public enum Kind {
        USERS_FILE,
        JDBC,
        DATA_SOURCE,
        LDAP,
        JAAS,
        AUTHENTICATED,
        COMBINED,
        LOCK_OUT,
        NOBODY
    }
}
