package io.millrace.samples;

import static io.millrace.servlet.security.LoginOptions.ALGORITHMS;
import static io.millrace.servlet.security.LoginOptions.AUTHENTICATION_SESSION_TIMEOUT;
import static io.millrace.servlet.security.LoginOptions.LANDING_PAGE;
import static io.millrace.servlet.security.LoginOptions.NONCE_VALIDITY;
import static io.millrace.servlet.security.LoginOptions.SECURE_PAGES_WITH_PRAGMA;

import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.handler.AddressFilter;
import io.millrace.handler.AddressRule;
import io.millrace.net.AddressSet;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.identity.DatabaseUsers;
import io.millrace.servlet.identity.DigestAlgorithm;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.LdapUsers;
import io.millrace.servlet.identity.LockOut;
import io.millrace.servlet.identity.PasswordFormat;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.identity.UsersFile;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.settings.ServletOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.servlet.http.HttpServlet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Logins in the guide. */
final class Security {

    private Security() {}

    static WebApplication application(Path file, HttpServlet orders) throws IOException {
        // tag::security
        IdentityStore users = LockOut.around(UsersFile.read(file)); // five failures, five minutes
        WebApplication application = WebApplication.builder("/shop")
                .servlet("orders", orders, "/orders/*")
                .model(model -> {
                    model.loginConfig = new LoginConfigModel("BASIC", "the shop", null, null);
                    model.securityConstraints.add(new SecurityConstraintModel(
                            List.of(new SecurityConstraintModel.Resources(
                                    List.of("/orders/*"), List.of(), List.of())), // all methods
                            List.of("clerk"),
                            false)); // true: over https only
                })
                .build()
                .identities(users)
                .with(ServletOptions.REDIRECT_PORT, 8443); // where https is
        // end::security
        return application;
    }

    static ServerBuilder addresses() {
        // tag::addresses
        AddressFilter office =
                AddressFilter.of(AddressRule.ranges(AddressSet.parse("10.0.0.0/8, fd00::/8"), AddressSet.parse("")));
        ServerBuilder server =
                Server.builder().addressFilter(office); // for all; of one application: before(office::wrap)
        // end::addresses
        return server;
    }

    // tag::store
    /** The users who know the word of the day. */
    static final class WordOfTheDay implements IdentityStore {

        @Override
        public @Nullable Identity verify(String name, String password) {
            return password.equals("heron") ? new Identity(name, Set.of("clerk")) : null;
        }

        /** Only for stores that also take part in DIGEST or client certificates. */
        @Override
        public @Nullable Identity verify(Proof proof) {
            return proof.matches("heron", PasswordFormat.detected())
                    ? new Identity(proof.name(), Set.of("clerk"))
                    : null;
        }
    }
    // end::store

    static IdentityStore database(DataSource source) {
        // tag::database
        IdentityStore users = DatabaseUsers.in(source)
                .users("users", "user_name", "user_pass")
                .roles("user_roles", "role_name")
                .passwords(PasswordFormat.derivedKey("PBKDF2WithHmacSHA512"))
                .build();
        // end::database
        return users;
    }

    static IdentityStore directory() {
        // tag::directory
        IdentityStore users = LdapUsers.at("ldaps://ldap.example.org")
                .alternate("ldaps://ldap2.example.org")
                .searchAs("cn=reader,dc=example,dc=org", "secret")
                .userSearch("ou=people,dc=example,dc=org", "(uid={0})", true)
                .roleSearch("ou=groups,dc=example,dc=org", "(member={0})", false)
                .roleName("cn")
                .nestedRoles(true)
                .build();
        // end::directory
        return users;
    }

    static IdentityStore otherDirectory() {
        // tag::directory-more
        IdentityStore users = LdapUsers.at("ldap://ldap.example.org")
                .startTls(true) // encrypts before credentials are sent
                .timeouts(Duration.ofSeconds(2), Duration.ofSeconds(5)) // to connect, to answer
                .referrals("ignore")
                .derefAliases("never")
                .userPattern("uid={0},ou=people,dc=example,dc=org") // instead of a search
                .userPassword("userPassword") // compared here; otherwise a bind verifies the password
                .passwords(PasswordFormat.anyOf(PasswordFormat.digested("SHA-512"), PasswordFormat.detected()))
                .userRole("employeeType") // roles in the user's own entry
                .roleAttribute("departmentNumber") // what {2} is in a search for roles
                .commonRole("everybody")
                .build();
        // end::directory-more
        return users;
    }

    static IdentityStore several(Path file, IdentityStore directory) throws IOException {
        // tag::several
        IdentityStore users = new LockOut(
                IdentityStore.anyOf(UsersFile.read(file, PasswordFormat.digested("SHA-256")), directory),
                3, // failures
                Duration.ofMinutes(10),
                5000); // names with failures, at most
        // end::several
        return users;
    }

    static List<IdentityStore> verified(IdentityStore directory) {
        // tag::verified
        IdentityStore users = IdentityStore.withoutKerberosRealm(directory); // ann@EXAMPLE.ORG is ann there
        IdentityStore anybody = IdentityStore.anyVerified(); // without roles
        // end::verified
        return List.of(users, anybody);
    }

    static WebApplication options(WebApplication application) {
        // tag::login-options
        application
                .with(ALGORITHMS, List.of(DigestAlgorithm.SHA_256)) // no MD5
                .with(NONCE_VALIDITY, Duration.ofMinutes(1))
                .with(LANDING_PAGE, "/home") // after a FORM login that no request led to
                .with(AUTHENTICATION_SESSION_TIMEOUT, 300) // seconds that FORM keeps a request before the login
                .with(SECURE_PAGES_WITH_PRAGMA, true); // no-cache, in place of private
        // end::login-options
        return application;
    }
}
