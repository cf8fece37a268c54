package io.millrace.servlet.identity;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link LdapUsersBuilder} collected.
 *
 * @param urls tried in order
 * @param name the user to search as; null: anonymously
 * @param userPatterns names of users, <code>{0}</code> being what they log in with; empty: they are searched for
 * @param userPassword the attribute to compare; null: the directory checks passwords by binding
 * @param userRole an attribute of the user's own entry with role names
 * @param nested roles are members of roles
 */
record LdapSettings(
        List<String> urls,
        @Nullable String name,
        @Nullable String password,
        boolean startTls,
        Duration connectTimeout,
        Duration readTimeout,
        @Nullable String referrals,
        @Nullable String derefAliases,
        List<String> userPatterns,
        @Nullable Search users,
        @Nullable String userPassword,
        @Nullable String userRole,
        @Nullable Search roles,
        String roleName,
        @Nullable String roleAttribute,
        boolean nested,
        List<String> commonRoles,
        PasswordFormat format) {

    /** A search: base, filter with numbered gaps, the whole subtree or one level. */
    record Search(String base, String filter, boolean subtree) {}
}
