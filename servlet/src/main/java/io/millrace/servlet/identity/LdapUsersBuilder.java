package io.millrace.servlet.identity;

import io.millrace.servlet.identity.LdapSettings.Search;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes a directory for {@link LdapUsers}. Names in parentheses are attributes of JNDIRealm. Not thread-safe. */
public final class LdapUsersBuilder {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final List<String> urls = new ArrayList<>();
    private final List<String> userPatterns = new ArrayList<>();
    private final List<String> commonRoles = new ArrayList<>();
    private @Nullable String name;
    private @Nullable String password;
    private boolean startTls;
    private Duration connectTimeout = TIMEOUT;
    private Duration readTimeout = TIMEOUT;
    private @Nullable String referrals;
    private @Nullable String derefAliases;
    private @Nullable Search users;
    private @Nullable String userPassword;
    private @Nullable String userRole;
    private @Nullable Search roles;
    private String roleName = "cn";
    private @Nullable String roleAttribute;
    private boolean nested;
    private PasswordFormat format = PasswordFormat.detected();

    LdapUsersBuilder(String url) {
        urls.add(Objects.requireNonNull(url));
    }

    /** Adds a server that is used if the previous ones are unavailable (alternateURL). */
    public LdapUsersBuilder alternate(String url) {
        urls.add(url);
        return this;
    }

    /** Sets the user to search as (connectionName, connectionPassword). Default: anonymous. */
    public LdapUsersBuilder searchAs(String distinguishedName, String secret) {
        name = distinguishedName;
        password = secret;
        return this;
    }

    /** Encrypts connections to {@code ldap://} URLs before binding (useStartTls). */
    public LdapUsersBuilder startTls(boolean value) {
        startTls = value;
        return this;
    }

    /** Sets the timeouts of connecting and of each response (connectionTimeout, readTimeout). Default: 5 s each. */
    public LdapUsersBuilder timeouts(Duration connect, Duration read) {
        connectTimeout = connect;
        readTimeout = read;
        return this;
    }

    /** Sets how referrals are handled: {@code follow}, {@code ignore} or {@code throw} (referrals). */
    public LdapUsersBuilder referrals(String policy) {
        referrals = policy;
        return this;
    }

    /** Sets when aliases are dereferenced: {@code never}, {@code always}, {@code finding} or {@code searching} (derefAliases). */
    public LdapUsersBuilder derefAliases(String policy) {
        derefAliases = policy;
        return this;
    }

    /**
     * Sets patterns of users' distinguished names, with <code>{0}</code> for the login name (userPattern); they are tried in
     * order.
     */
    public LdapUsersBuilder userPattern(String... distinguishedNames) {
        userPatterns.addAll(List.of(distinguishedNames));
        return this;
    }

    /**
     * Searches for users instead (userBase, userSearch, userSubtree).
     *
     * @param filter with <code>{0}</code> for the login name
     */
    public LdapUsersBuilder userSearch(String base, String filter, boolean subtree) {
        users = new Search(base, filter, subtree);
        return this;
    }

    /** Compares an attribute, which {@link #searchAs} must be able to read, instead of binding as the user (userPassword). */
    public LdapUsersBuilder userPassword(String attribute) {
        userPassword = attribute;
        return this;
    }

    /** Sets an attribute of the user's entry with role names (userRoleName). */
    public LdapUsersBuilder userRole(String attribute) {
        userRole = attribute;
        return this;
    }

    /**
     * Searches for the user's roles (roleBase, roleSearch, roleSubtree).
     *
     * @param filter <code>{0}</code> is the user's distinguished name, <code>{1}</code> the login name, <code>{2}</code> the
     *     value of {@link #roleAttribute}
     */
    public LdapUsersBuilder roleSearch(String base, String filter, boolean subtree) {
        roles = new Search(base, filter, subtree);
        return this;
    }

    /** Sets the attribute with a role's name (roleName). Default: {@code cn}. */
    public LdapUsersBuilder roleName(String attribute) {
        roleName = attribute;
        return this;
    }

    /** Sets the attribute of the user's entry that is <code>{2}</code> in {@link #roleSearch} (userRoleAttribute). */
    public LdapUsersBuilder roleAttribute(String attribute) {
        roleAttribute = attribute;
        return this;
    }

    /** Permits roles to be members of roles (roleNested). */
    public LdapUsersBuilder nestedRoles(boolean value) {
        nested = value;
        return this;
    }

    /** Adds roles that all users have (commonRole). */
    public LdapUsersBuilder commonRole(String... names) {
        commonRoles.addAll(List.of(names));
        return this;
    }

    /** Sets the format of {@link #userPassword}. Default: {@link PasswordFormat#detected()}. */
    public LdapUsersBuilder passwords(PasswordFormat written) {
        format = written;
        return this;
    }

    /**
     * Creates the store, without connecting to the directory.
     *
     * @throws IllegalStateException if neither {@link #userPattern} nor {@link #userSearch} was called
     */
    public LdapUsers build() {
        if (userPatterns.isEmpty() && users == null) {
            throw new IllegalStateException("no users: call userPattern(…) or userSearch(…)");
        }
        return new LdapUsers(new LdapSettings(
                List.copyOf(urls),
                name,
                password,
                startTls,
                connectTimeout,
                readTimeout,
                referrals,
                derefAliases,
                List.copyOf(userPatterns),
                users,
                userPassword,
                userRole,
                roles,
                roleName,
                roleAttribute,
                nested,
                List.copyOf(commonRoles),
                format));
    }
}
