package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.config.realm.Realm;
import io.millrace.standalone.config.realm.Realms;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.ElementReader;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import io.millrace.standalone.config.xml.XmlReader;
import io.millrace.text.Placeholders;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RealmReaderTest {

    private final Problems problems = new Problems("server.xml");

    @Test
    void readsRealmsInRealms() {
        Realm lockOut = Objects.requireNonNull(host("""
                <Realm className="org.apache.catalina.realm.LockOutRealm" failureCount="3" lockOutTime="60">
                  <Realm className="org.apache.catalina.realm.CombinedRealm">
                    <Realm className="org.apache.catalina.realm.UserDatabaseRealm" resourceName="users">
                      <CredentialHandler className="org.apache.catalina.realm.MessageDigestCredentialHandler"
                          algorithm="SHA-256"/>
                    </Realm>
                    <Realm className="org.apache.catalina.realm.MemoryRealm" pathname="conf/more.xml"/>
                  </Realm>
                </Realm>
                """));
        assertEquals(List.of(), found());
        assertEquals(
                "Realm org.apache.catalina.realm.LockOutRealm",
                lockOut.element().kind().toString());
        assertEquals("3", lockOut.element().shown("failureCount"));
        assertEquals("1000", lockOut.element().shown("cacheSize"));
        Realm combined = lockOut.nested().get(0);
        assertEquals(
                "Realm org.apache.catalina.realm.CombinedRealm",
                combined.element().kind().toString());
        Realm users = combined.nested().get(0);
        assertEquals(Path.of("/base/conf/our-users.xml"), users.file());
        assertTrue(users.passwords()
                .matches("2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b", "secret"));
        assertFalse(users.passwords().matches("secret", "secret"));
        assertEquals(Path.of("/base/conf/more.xml"), combined.nested().get(1).file());
    }

    @Test
    void takesTheEnginesRealmForHostsWithoutOne() {
        ServerConfig config = parse("", "<Realm className='org.apache.catalina.realm.MemoryRealm'/>");
        Realm realm = Objects.requireNonNull(Objects.requireNonNull(config)
                .services()
                .get(0)
                .engine()
                .hosts()
                .get(0)
                .realm());
        assertEquals(Path.of("/base/conf/tomcat-users.xml"), realm.file());
    }

    @Test
    void findsTheDataSourceAmongTheGlobalResources() {
        Realm realm = Objects.requireNonNull(host("""
                <Realm className="org.apache.catalina.realm.DataSourceRealm" dataSourceName="jdbc/auth"
                    userTable="users" userNameCol="n" userCredCol="p" userRoleTable="roles" roleNameCol="r"/>
                """));
        assertEquals("jdbc:x", realm.dataSource().get("url"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "className='com.example.OurRealm' | className=\"com.example.OurRealm\" on Realm: there is no such realm;"
                        + " custom classes are not loaded; write a JAAS LoginModule, which can do whatever a Realm does, for a"
                        + " JAASRealm, or use one of Tomcat's realms; known are"
                        + " AuthenticatedUserRealm, CombinedRealm, DataSourceRealm, JAASRealm, JDBCRealm, JNDIRealm, LockOutRealm, MemoryRealm,"
                        + " NullRealm, UserDatabaseRealm",
                "className='org.apache.catalina.realm.JNDIrealm' connectionURL='ldap://x' userPattern='x' |"
                        + " className=\"org.apache.catalina.realm.JNDIrealm\" on Realm: there is no such realm; did you mean"
                        + " 'JNDIRealm'?; known are AuthenticatedUserRealm, CombinedRealm, DataSourceRealm, JAASRealm, JDBCRealm, JNDIRealm, LockOutRealm,"
                        + " MemoryRealm, NullRealm, UserDatabaseRealm",
                "className='org.apache.catalina.realm.JNDIRealm' connectionURL='ldap://x' |"
                        + " JNDIRealm needs userPattern or userSearch to find users",
                "className='org.apache.catalina.realm.JNDIRealm' userPattern='uid={0}' | Realm has no connectionURL",
                "className='org.apache.catalina.realm.JDBCRealm' connectionURL='jdbc:x' userTable='u' userNameCol='n' | Realm has no userCredCol",
                "className='org.apache.catalina.realm.DataSourceRealm' dataSourceName='no' userTable='u' userNameCol='n' userCredCol='c' |"
                        + " dataSourceName=\"no\" on Realm: GlobalNamingResources has no Resource of that name with a url",
                "className='org.apache.catalina.realm.LockOutRealm' failureCount='0' |"
                        + " failureCount=\"0\" on Realm: expected a number from 1 to 2147483647",
            })
    void saysWhatIsWrong(String attributes, String error) {
        assertNull(parse(
                "<Realm " + attributes.replace('\'', '"')
                        + "><Realm className='org.apache.catalina.realm.NullRealm'/></Realm>",
                ""));
        assertTrue(found().contains("server.xml:6: error: " + error), () -> found().toString());
    }

    @Test
    void findsItsDataSourceInTheContextWithLocalDataSource() {
        String realm = "<Realm className='org.apache.catalina.realm.DataSourceRealm' dataSourceName='jdbc/own'"
                + " localDataSource='true' userTable='u' userNameCol='n' userCredCol='c'/>";
        assertEquals(
                "jdbc:own",
                context(realm + "<Resource name='jdbc/own' type='javax.sql.DataSource' url='jdbc:own'/>")
                        .dataSource()
                        .get("url"));
        assertEquals(
                "jdbc:x",
                context(realm + "<ResourceLink name='jdbc/own' global='jdbc/auth' type='javax.sql.DataSource'/>")
                        .dataSource()
                        .get("url"));
        assertEquals(List.of(), found());
        context(realm);
        assertTrue(
                found().toString().contains("dataSourceName=\"jdbc/own\" on Realm: its Context has no Resource"),
                () -> found().toString());
    }

    private Realm context(String elements) {
        XmlElement root = Objects.requireNonNull(
                XmlReader.read("<Context>" + elements + "</Context>", problems, Placeholders.ofSystem(Map.of())));
        XmlElement global = Objects.requireNonNull(XmlReader.read(
                "<Resource name='jdbc/auth' type='javax.sql.DataSource' url='jdbc:x'/>",
                problems,
                Placeholders.ofSystem(Map.of())));
        return Objects.requireNonNull(Realms.in(read(root), List.of(read(global)), Path.of("/base"), problems));
    }

    private Element read(XmlElement xml) {
        return new ElementReader(Vocabulary::of, problems).read(xml);
    }

    @Test
    void refusesAHandlerOfAnAlgorithmThatThereIsNot() {
        assertNull(host("""
                <Realm className="org.apache.catalina.realm.MemoryRealm"><CredentialHandler className="org.apache.catalina.realm.MessageDigestCredentialHandler" algorithm="SHA-9"/></Realm>
                """));
        assertEquals(
                List.of(
                        "server.xml:6: error: CredentialHandler: algorithm \"SHA-9\" is not a MessageDigest of this JVM;"
                                + " expected, for example, SHA-512"),
                found());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MessageDigestCredentialHandler | algorithm='SHA-256' | 2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b | secret",
                "MessageDigestCredentialHandler | algorithm='SHA-256' iterations='1' saltLength='2' |"
                        + " 00ff$1$ef0e761eb7b7bc46acd2d38ed243b441f7cc14b46502968e5175808376b60895 | secret",
                "MessageDigestCredentialHandler | algorithm='MD5' encoding='ISO-8859-1' | a0d3234d9120d6e3df4a717850d40206 | thé",
                "SecretKeyCredentialHandler | keyLength='256' iterations='7' saltLength='4' |"
                        + " 73616c74$1$0c60c80f961f0e71f3a9b524af6012062fe037a6 | password",
            })
    void comparesPasswordsAsAHandlerDoes(String type, String attributes, String stored, String password) {
        Realm realm = Objects.requireNonNull(host("<Realm className='org.apache.catalina.realm.MemoryRealm'>"
                + "<CredentialHandler className='org.apache.catalina.realm.NestedCredentialHandler'>"
                + "<CredentialHandler className='org.apache.catalina.realm." + type + "' " + attributes + "/>"
                + "</CredentialHandler></Realm>"));
        assertTrue(realm.passwords().matches(stored, password), stored);
        assertFalse(realm.passwords().matches(stored, password + "x"), stored);
        assertFalse(realm.passwords().matches(stored, stored), stored);
        assertEquals(List.of(), found());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "className='com.example.Ours' | custom classes are not loaded; verify such passwords by a JAAS LoginModule",
                "className='org.apache.catalina.realm.MesageDigestCredentialHandler' | did you mean",
                "className='org.apache.catalina.realm.MessageDigestCredentialHandler' algoritm='SHA-1' | did you mean 'algorithm'",
                "className='org.apache.catalina.realm.MessageDigestCredentialHandler' algorithm='MD5' encoding='UTF-9' | a character set",
                "className='org.apache.catalina.realm.SecretKeyCredentialHandler' algorithm='PBKDF3' | is not a SecretKeyFactory of this JVM",
            })
    void refusesAHandlerItDoesNotKnow(String attributes, String error) {
        assertNull(host(
                "<Realm className='org.apache.catalina.realm.MemoryRealm'><CredentialHandler className='org.apache.catalina.realm"
                        + ".NestedCredentialHandler'><CredentialHandler " + attributes
                        + "/></CredentialHandler></Realm>"));
        assertTrue(found().toString().contains("error: "), () -> found().toString());
        assertTrue(found().toString().contains(error), () -> found().toString());
    }

    private @Nullable Realm host(String realm) {
        ServerConfig config = parse(realm, "");
        return config == null
                ? null
                : Objects.requireNonNull(
                        config.services().get(0).engine().hosts().get(0).realm());
    }

    private @Nullable ServerConfig parse(String inHost, String inEngine) {
        return new ServerXml(Path.of("/base"), Set.of("nio"), problems).parse("""
                <Server><GlobalNamingResources>
                  <Resource name="users" type="org.apache.catalina.UserDatabase" pathname="conf/our-users.xml"/>
                  <Resource name="jdbc/auth" type="javax.sql.DataSource" url="jdbc:x"/></GlobalNamingResources>
                  <Service><Connector port="0"/><Engine>%s
                    <Host>
                %s
                    </Host></Engine></Service>
                </Server>
                """.formatted(inEngine, inHost));
    }

    /** A Resource of another type than UserDatabase may have a warning of its own. */
    private List<String> found() {
        return problems.inOrder().stream()
                .map(Problem::toString)
                .filter(text -> !text.contains("warning: Resource "))
                .toList();
    }
}
