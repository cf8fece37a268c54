package io.millrace.servlet.identity;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@link LdapUsers}.
 *
 * @param urls tried in order
 * @param name the user to search as; null to search anonymously
 * @param userPatterns patterns of users' distinguished names, with <code>{0}</code> for the login name; empty: users are searched
 *     for
 * @param userPassword the attribute with the password; null: passwords are verified by binding
 * @param userRole an attribute of the user's entry with role names
 * @param nested true if roles may be members of roles
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

    /** A search: base, filter with numbered placeholders, and whether of the subtree or one level. */
    record Search(String base, String filter, boolean subtree) {}
}
