package io.millrace.standalone.config;

import io.millrace.servlet.identity.PasswordFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Realm element: the users and their roles.
 *
 * @param passwords the format that its CredentialHandler specifies
 * @param usersFile the file of users or of the JAAS configuration; null without one
 * @param dataSource the attributes of a DataSourceRealm's Resource
 * @param nested the realms in a CombinedRealm or LockOutRealm
 */
public record RealmConfig(
        Kind kind,
        Values values,
        PasswordFormat passwords,
        @Nullable Path usersFile,
        Map<String, String> dataSource,
        List<RealmConfig> nested) {

    /** The kinds of Tomcat's realms. */
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
