package io.millrace.standalone.config.realm;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.LdapUsers;
import io.millrace.servlet.identity.LdapUsersBuilder;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tomcat's JNDIRealm: users of an LDAP directory. */
public final class JndiRealm extends RealmKind {

    /** If userPattern has several patterns, each is in parentheses. */
    private static final Pattern IN_PARENTHESES = Pattern.compile("\\(([^()]*)\\)");

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<String> CONNECTION_URL = GROUP.optional("connectionURL", TEXT);
    private static final Setting<String> ALTERNATE_URL = GROUP.optional("alternateURL", TEXT);
    private static final Setting<String> CONNECTION_NAME = GROUP.optional("connectionName", TEXT);
    private static final Setting<String> CONNECTION_PASSWORD = GROUP.optional("connectionPassword", TEXT);
    private static final Setting<Integer> CONNECTION_TIMEOUT =
            GROUP.add("connectionTimeout", number(0, Integer.MAX_VALUE), 5000);
    private static final Setting<Integer> READ_TIMEOUT = GROUP.add("readTimeout", number(0, Integer.MAX_VALUE), 5000);
    private static final Setting<Boolean> USE_START_TLS = GROUP.add("useStartTls", BOOLEAN, false);
    private static final Setting<String> REFERRALS = GROUP.optional("referrals", TEXT);
    private static final Setting<String> DEREF_ALIASES = GROUP.optional("derefAliases", TEXT);
    private static final Setting<String> USER_PATTERN = GROUP.optional("userPattern", TEXT);
    private static final Setting<String> USER_BASE = GROUP.add("userBase", TEXT, "");
    private static final Setting<String> USER_SEARCH = GROUP.optional("userSearch", TEXT);
    private static final Setting<Boolean> USER_SUBTREE = GROUP.add("userSubtree", BOOLEAN, false);
    private static final Setting<String> USER_PASSWORD = GROUP.optional("userPassword", TEXT);
    private static final Setting<String> USER_ROLE_NAME = GROUP.optional("userRoleName", TEXT);
    private static final Setting<String> USER_ROLE_ATTRIBUTE = GROUP.optional("userRoleAttribute", TEXT);
    private static final Setting<String> ROLE_BASE = GROUP.add("roleBase", TEXT, "");
    private static final Setting<String> ROLE_SEARCH = GROUP.optional("roleSearch", TEXT);
    private static final Setting<Boolean> ROLE_SUBTREE = GROUP.add("roleSubtree", BOOLEAN, false);
    private static final Setting<String> ROLE_NAME = GROUP.optional("roleName", TEXT);
    private static final Setting<Boolean> ROLE_NESTED = GROUP.add("roleNested", BOOLEAN, false);
    private static final Setting<String> COMMON_ROLE = GROUP.optional("commonRole", TEXT);

    JndiRealm() {
        super("JNDIRealm", Attribute.of(GROUP.settings()), TomcatAttributes.of("JNDIRealm"));
    }

    @Override
    void checkUsed(Element realm, Problems problems) {
        require(realm, problems, List.of(CONNECTION_URL));
        if (realm.find(USER_PATTERN) == null && realm.find(USER_SEARCH) == null) {
            problems.error(realm.line(), "JNDIRealm needs userPattern or userSearch to find users");
        }
    }

    @Override
    IdentityStore make(Realm realm, Resources resources) {
        Element directory = realm.element();
        LdapUsersBuilder users = LdapUsers.at(text(directory.find(CONNECTION_URL)))
                .startTls(directory.get(USE_START_TLS))
                .timeouts(
                        Duration.ofMillis(directory.get(CONNECTION_TIMEOUT)),
                        Duration.ofMillis(directory.get(READ_TIMEOUT)))
                .nestedRoles(directory.get(ROLE_NESTED))
                .passwords(realm.passwords());
        whenSet(directory.find(ALTERNATE_URL), users::alternate);
        whenSet(
                directory.find(CONNECTION_NAME),
                name -> users.searchAs(name, text(directory.find(CONNECTION_PASSWORD))));
        whenSet(directory.find(REFERRALS), users::referrals);
        whenSet(directory.find(DEREF_ALIASES), users::derefAliases);
        whenSet(directory.find(USER_PASSWORD), users::userPassword);
        whenSet(directory.find(USER_ROLE_NAME), users::userRole);
        whenSet(directory.find(USER_ROLE_ATTRIBUTE), users::roleAttribute);
        whenSet(directory.find(ROLE_NAME), users::roleName);
        whenSet(directory.find(USER_PATTERN), pattern -> users.userPattern(patterns(pattern)));
        whenSet(
                directory.find(COMMON_ROLE),
                roles -> users.commonRole(roles.strip().split("\\s*,\\s*", -1)));
        whenSet(
                directory.find(USER_SEARCH),
                filter -> users.userSearch(directory.get(USER_BASE), filter, directory.get(USER_SUBTREE)));
        // without roleName, Tomcat does not search for roles either
        whenSet(
                directory.find(ROLE_NAME) == null ? null : directory.find(ROLE_SEARCH),
                filter -> users.roleSearch(directory.get(ROLE_BASE), filter, directory.get(ROLE_SUBTREE)));
        return users.build();
    }

    private static void whenSet(@Nullable String value, Consumer<String> then) {
        if (value != null) {
            then.accept(value);
        }
    }

    private static String[] patterns(String text) {
        List<String> patterns = new ArrayList<>();
        Matcher each = IN_PARENTHESES.matcher(text);
        while (each.find()) {
            patterns.add(each.group(1));
        }
        return patterns.isEmpty() ? new String[] {text} : patterns.toArray(String[]::new);
    }
}
