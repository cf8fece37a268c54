package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.only;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.settings.SettingType;
import io.millrace.text.EditDistance;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tomcat's realms and credential handlers. Class names only select an implementation; the classes are not loaded. */
final class RealmVocabulary {

    private static final String PACKAGE = "org.apache.catalina.realm.";

    /** Attributes of all realms. */
    private static final List<AttributeRule> COMMON = List.of(
            works("className", TEXT, null),
            none("allRolesMode", TEXT, "strict", "the role * stands for all declared roles"),
            none("transportGuaranteeRedirectStatus", TEXT, "302", "the status is 302"),
            none("validate", BOOLEAN, "true", "certificates are always validated"),
            only(
                    "X509UsernameRetrieverClassName",
                    "",
                    "custom classes are not loaded; the user name of a certificate is its subject"),
            only(
                    "digest",
                    "",
                    "set algorithm on a CredentialHandler of class MessageDigestCredentialHandler in the Realm"),
            none("userAttributes", TEXT, "", "a user has a name and roles"),
            moot("debug"),
            moot("realmPath"),
            works("stripRealmForGss", BOOLEAN, "true"));

    private static final List<AttributeRule> TABLES = List.of(
            works("userTable", TEXT, null),
            works("userNameCol", TEXT, null),
            works("userCredCol", TEXT, null),
            works("userRoleTable", TEXT, null),
            works("roleNameCol", TEXT, null));

    private static final List<AttributeRule> LDAP = List.of(
            works("connectionURL", TEXT, null),
            works("alternateURL", TEXT, null),
            works("connectionName", TEXT, null),
            works("connectionPassword", TEXT, null),
            works("connectionTimeout", number(0, Integer.MAX_VALUE), "5000"),
            works("readTimeout", number(0, Integer.MAX_VALUE), "5000"),
            works("useStartTls", BOOLEAN, "false"),
            works("referrals", TEXT, null),
            works("derefAliases", TEXT, null),
            works("userPattern", TEXT, null),
            works("userBase", TEXT, ""),
            works("userSearch", TEXT, null),
            works("userSubtree", BOOLEAN, "false"),
            works("userPassword", TEXT, null),
            works("userRoleName", TEXT, null),
            works("userRoleAttribute", TEXT, null),
            works("roleBase", TEXT, ""),
            works("roleSearch", TEXT, null),
            works("roleSubtree", BOOLEAN, "false"),
            works("roleName", TEXT, null),
            works("roleNested", BOOLEAN, "false"),
            works("commonRole", TEXT, null),
            none("adCompat", BOOLEAN, "true", "referrals of Active Directory are always ignored"),
            only(
                    "authentication",
                    "simple",
                    "users bind with their passwords; use ldaps: in connectionURL to protect them"),
            none("userSearchAsUser", BOOLEAN, "false", "searching is done as connectionName"),
            none("roleSearchAsUser", BOOLEAN, "false", "searching is done as connectionName"),
            only("protocol", "", "use ldaps: in connectionURL for TLS"),
            only("contextFactory", "com.sun.jndi.ldap.LdapCtxFactory", "the JDK's is used"),
            only(
                    "hostnameVerifierClassName",
                    "",
                    "custom classes are not loaded; the JDK verifies the directory's name"),
            only("sslSocketFactoryClassName", "", "custom classes are not loaded; use ldaps: in connectionURL for TLS"),
            only("cipherSuites", "", "set them with -Djdk.tls.client.cipherSuites in JAVA_OPTS"),
            only("sslProtocol", "", "set it with -Djdk.tls.client.protocols in JAVA_OPTS"),
            only(
                    "spnegoDelegationQop",
                    "auth-conf",
                    "delegated credentials are not used to connect; omit it, and use ldaps: in"
                            + " connectionURL to protect the connection"),
            only(
                    "useDelegatedCredential",
                    "false",
                    "users and roles are searched for as connectionName, which may see more roles than the user whose"
                            + " delegated credential Tomcat would search with; set it to false if that is intended, and use"
                            + " for connectionName an account that sees only the relevant roles"),
            none("sizeLimit", number(0, Integer.MAX_VALUE)),
            none("timeLimit", number(0, Integer.MAX_VALUE)),
            none("forceDnHexEscape", BOOLEAN),
            moot("useContextClassLoader"),
            moot("connectionPoolSize"));

    private static final Map<String, ElementRule> REALMS = Map.of(
            "UserDatabaseRealm",
            realm(List.of(
                    works("resourceName", TEXT, "UserDatabase"),
                    only("localJndiResource", "false", "the users are those of a Resource in GlobalNamingResources"),
                    moot("useStaticPrincipal"))),
            "MemoryRealm",
            realm(List.of(works("pathname", TEXT, "conf/tomcat-users.xml"))),
            "JDBCRealm",
            realm(
                    TABLES,
                    List.of(
                            works("driverName", TEXT, null),
                            works("connectionURL", TEXT, null),
                            works("connectionName", TEXT, null),
                            works("connectionPassword", TEXT, null))),
            "DataSourceRealm",
            realm(TABLES, List.of(works("dataSourceName", TEXT, null), works("localDataSource", BOOLEAN, "false"))),
            "JNDIRealm",
            realm(LDAP),
            "JAASRealm",
            realm(List.of(
                    works("appName", TEXT, "Tomcat"),
                    works("userClassNames", TEXT, null),
                    works("roleClassNames", TEXT, ""),
                    works("configFile", TEXT, null),
                    moot("useContextClassLoader"))),
            "AuthenticatedUserRealm",
            realm(List.of()),
            "CombinedRealm",
            realm(List.of()),
            "LockOutRealm",
            realm(List.of(
                    works("failureCount", number(1, Integer.MAX_VALUE), "5"),
                    works("lockOutTime", number(1, Integer.MAX_VALUE), "300"),
                    works("cacheSize", number(1, 1_000_000), "1000"),
                    moot("cacheRemovalWarningTime"))),
            "NullRealm",
            realm(List.of()));

    private static final SettingType<?> CHARSET =
            SettingType.text("a character set of Java, such as UTF-8", RealmVocabulary::isCharset);

    /** The moot ones configure Tomcat's tools for new hashes; stored hashes contain these values. */
    private static final List<AttributeRule> HASH = List.of(
            works("className", TEXT, null),
            moot("iterations"),
            moot("saltLength"),
            none("logInvalidStoredCredentials", BOOLEAN, "false", "a value that no password can match is not logged"));

    private static final Map<String, ElementRule> HANDLERS = Map.of(
            "MessageDigestCredentialHandler",
            handler(works("algorithm", TEXT, null), works("encoding", CHARSET, "UTF-8")),
            "SecretKeyCredentialHandler",
            handler(works("algorithm", TEXT, "PBKDF2WithHmacSHA1"), moot("keyLength")),
            "NestedCredentialHandler",
            ElementRule.of("CredentialHandler", List.of(works("className", TEXT, null)), "CredentialHandler"));

    private static final String OWN_REALM =
            "custom classes are not loaded; write a JAAS LoginModule, which can do whatever a"
                    + " Realm does, for a JAASRealm, or use one of Tomcat's realms";

    private static final String OWN_HANDLER =
            "custom classes are not loaded; verify such passwords by a JAAS LoginModule"
                    + " (JAASRealm), or store them in a format of Tomcat's handlers";

    private RealmVocabulary() {}

    private static boolean isCharset(String name) {
        try {
            return Charset.isSupported(name);
        } catch (IllegalArgumentException notAName) {
            return false;
        }
    }

    private static ElementRule handler(AttributeRule... own) {
        return ElementRule.of(
                "CredentialHandler",
                Stream.concat(HASH.stream(), Stream.of(own)).toList());
    }

    private static ElementRule realm(List<AttributeRule> own) {
        return realm(own, List.of());
    }

    private static ElementRule realm(List<AttributeRule> own, List<AttributeRule> more) {
        List<AttributeRule> rules = new ArrayList<>(COMMON);
        rules.addAll(own);
        rules.addAll(more);
        return ElementRule.of("Realm", rules, "Realm", "CredentialHandler");
    }

    static boolean isOne(ConfigElement element) {
        return element.name().equals("Realm") || element.name().equals("CredentialHandler");
    }

    /** Null if the class is unknown. */
    static @Nullable ElementRule of(ConfigElement element) {
        String type = String.valueOf(element.value("className"));
        return type.startsWith(PACKAGE) ? kinds(element).get(type.substring(PACKAGE.length())) : null;
    }

    /** The simple name of its class. */
    static String simpleName(ConfigElement element) {
        String type = String.valueOf(element.value("className"));
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /** Reports an unknown class. */
    static void refuse(ConfigElement element, Problems problems) {
        Set<String> known = new TreeSet<>(kinds(element).keySet());
        boolean own = !String.valueOf(element.value("className")).startsWith("org.apache.catalina.");
        String advice = element.name().equals("Realm") ? OWN_REALM : OWN_HANDLER;
        String kind = element.name().toLowerCase(Locale.ROOT).replace("credentialh", "credential h");
        problems.error(
                element.line(),
                "className=\"" + element.value("className") + "\" on " + element.name() + ": there is no such " + kind
                        + EditDistance.suggestion(simpleName(element), known) + (own ? "; " + advice : "")
                        + "; known are "
                        + String.join(", ", known));
    }

    private static Map<String, ElementRule> kinds(ConfigElement element) {
        return element.name().equals("Realm") ? REALMS : HANDLERS;
    }
}
