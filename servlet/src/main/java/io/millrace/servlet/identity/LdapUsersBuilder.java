package io.millrace.servlet.identity;

import io.millrace.servlet.identity.LdapSettings.Search;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes a directory to {@link LdapUsers}. Names in brackets are JNDIRealm's. One thread. */
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

    /** A second server for when the first does not answer (alternateURL). */
    public LdapUsersBuilder alternate(String url) {
        urls.add(url);
        return this;
    }

    /** Whom to search as (connectionName, connectionPassword); anonymously otherwise. */
    public LdapUsersBuilder searchAs(String distinguishedName, String secret) {
        name = distinguishedName;
        password = secret;
        return this;
    }

    /** Encrypts connections to {@code ldap://} URLs before anything is said (useStartTls). */
    public LdapUsersBuilder startTls(boolean value) {
        startTls = value;
        return this;
    }

    /** How long connecting and each answer may take (connectionTimeout, readTimeout); five seconds otherwise. */
    public LdapUsersBuilder timeouts(Duration connect, Duration read) {
        connectTimeout = connect;
        readTimeout = read;
        return this;
    }

    /** {@code follow}, {@code ignore} or {@code throw} (referrals). */
    public LdapUsersBuilder referrals(String policy) {
        referrals = policy;
        return this;
    }

    /** {@code never}, {@code always}, {@code finding} or {@code searching} (derefAliases). */
    public LdapUsersBuilder derefAliases(String policy) {
        derefAliases = policy;
        return this;
    }

    /** Names of users, <code>{0}</code> being what they log in with (userPattern); several are tried in order. */
    public LdapUsersBuilder userPattern(String... distinguishedNames) {
        userPatterns.addAll(List.of(distinguishedNames));
        return this;
    }

    /**
     * Searches for users instead (userBase, userSearch, userSubtree).
     *
     * @param filter with <code>{0}</code> for what they log in with
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

    /** An attribute of the user's entry with names of roles (userRoleName). */
    public LdapUsersBuilder userRole(String attribute) {
        userRole = attribute;
        return this;
    }

    /**
     * Searches for the user's roles (roleBase, roleSearch, roleSubtree).
     *
     * @param filter <code>{0}</code> is the user's distinguished name, <code>{1}</code> what they log in with,
     *     <code>{2}</code> the value of {@link #roleAttribute}
     */
    public LdapUsersBuilder roleSearch(String base, String filter, boolean subtree) {
        roles = new Search(base, filter, subtree);
        return this;
    }

    /** The attribute that names a role (roleName); {@code cn} otherwise. */
    public LdapUsersBuilder roleName(String attribute) {
        roleName = attribute;
        return this;
    }

    /** The attribute of the user's entry that is <code>{2}</code> when roles are searched for (userRoleAttribute). */
    public LdapUsersBuilder roleAttribute(String attribute) {
        roleAttribute = attribute;
        return this;
    }

    /** Roles may be members of roles (roleNested). */
    public LdapUsersBuilder nestedRoles(boolean value) {
        nested = value;
        return this;
    }

    /** Roles that everybody has (commonRole). */
    public LdapUsersBuilder commonRole(String... names) {
        commonRoles.addAll(List.of(names));
        return this;
    }

    /** How {@link #userPassword} is written; {@link PasswordFormat#detected()} otherwise. */
    public LdapUsersBuilder passwords(PasswordFormat written) {
        format = written;
        return this;
    }

    /**
     * The store. Nothing is connected yet.
     *
     * @throws IllegalStateException if it was not said where users are
     */
    public LdapUsers build() {
        if (userPatterns.isEmpty() && users == null) {
            throw new IllegalStateException("say where the users are: userPattern(…) or userSearch(…)");
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
