package io.millrace.standalone.config.realm;

import io.millrace.servlet.identity.PasswordFormat;
import io.millrace.standalone.config.schema.Element;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Realm element: the users and their roles.
 *
 * @param passwords the format that its CredentialHandler specifies
 * @param file the file of users or of the JAAS configuration; null without one
 * @param dataSource the attributes of a DataSourceRealm's Resource
 * @param nested the realms in a CombinedRealm or LockOutRealm
 * @param defect why nobody can log in by it, though the application starts; null if no reason is known
 */
public record Realm(
        Element element,
        PasswordFormat passwords,
        @Nullable Path file,
        Map<String, String> dataSource,
        List<Realm> nested,
        @Nullable String defect) {

    Realm unusable(@Nullable String reason) {
        return reason == null ? this : new Realm(element, passwords, file, dataSource, nested, reason);
    }
}
