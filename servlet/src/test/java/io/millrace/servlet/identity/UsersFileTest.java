package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.text.Placeholders;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UsersFileTest {

    @TempDir
    Path directory;

    @Test
    void readsTomcatsFile() throws IOException {
        UsersFile users = read("""
                <?xml version="1.0" encoding="UTF-8"?>
                <!-- as shipped -->
                <tomcat-users xmlns="http://tomcat.apache.org/xml" version="1.0">
                  <role rolename="manager-gui" description="x"/>
                  <user username="tomcat" password="s3cret" roles="manager-gui, admin ,"/>
                  <user name="old" password="" fullName="Old Form" groups="staff,none" roles="extra"/>
                  <user username="digest" password="{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=" roles=""/>
                  <group groupname="staff" roles="a,b"/>
                </tomcat-users>
                """);
        assertEquals(new Identity("tomcat", Set.of("manager-gui", "admin")), users.verify("tomcat", "s3cret"));
        assertEquals(new Identity("old", Set.of("a", "b", "extra")), users.verify("old", ""));
        assertNotNull(users.verify("digest", "secret"));
        assertNull(users.verify("tomcat", "s3cret "));
        assertNull(users.verify("Tomcat", "s3cret"));
        assertNull(users.verify("nobody", "s3cret"));
    }

    /** The message of an exception of java.nio.file is the name of the file, and nothing else. */
    @Test
    void saysWhyItCanNotBeOpened() {
        Path file = directory.resolve("none.xml");
        IOException refusal =
                assertThrows(IOException.class, () -> UsersFile.UsersXml.read(file, Placeholders.ofProperties()));
        assertEquals(
                file + ": cannot be read (java.nio.file.NoSuchFileException: " + file
                        + "); check the file's permissions",
                refusal.getMessage());
    }

    @Test
    void refusesADirectory() {
        IOException refusal = assertThrows(IOException.class, () -> UsersFile.read(directory));
        assertTrue(String.valueOf(refusal.getMessage()).startsWith(directory + ""), refusal.getMessage());
    }

    @Test
    void readsAChangedFileAnewAndKeepsItsUsersIfThatCanNotBeUsed() throws IOException {
        UsersFile users = read("<tomcat-users><user username='a' password='1'/></tomcat-users>");
        Path file = directory.resolve("users.xml");
        Files.writeString(file, "<tomcat-users><user username='b' password='2'/></tomcat-users>");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1000));
        users.readIfChanged();
        assertNull(users.verify("a", "1"));
        assertNotNull(users.verify("b", "2"));
        Files.writeString(file, "<tomcat-users><user");
        Files.setLastModifiedTime(file, FileTime.fromMillis(2000));
        users.readIfChanged();
        assertNotNull(users.verify("b", "2"));
        Files.delete(file);
        users.readIfChanged();
        assertNotNull(users.verify("b", "2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<tomcat-users><user username='x'/></tomcat-users>",
                "<tomcat-users><user password='x'/></tomcat-users>",
                "<tomcat-users>",
                "<users/>",
                "",
                "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><tomcat-users>&e;</tomcat-users>",
            })
    void saysWhereItIsWrong(String text) {
        String message = assertThrows(IOException.class, () -> read(text)).getMessage();
        assertNotNull(message);
        assertTrue(message.contains("users.xml:1: "), message);
    }

    @Test
    void replacesPlaceholdersInAllAttributesThatProtect() throws IOException {
        Map<String, String> values = Map.of("name", "ann", "secret", "s3cret", "role", "boss", "group", "staff");
        UsersFile users = read("""
                <tomcat-users>
                  <group groupname="${group}" roles="${role}"/>
                  <user username="${name}" password="${secret}" roles="${role}s,${none:-extra}" groups="${group}"/>
                </tomcat-users>
                """, values::get);
        assertEquals(new Identity("ann", Set.of("boss", "bosss", "extra")), users.verify("ann", "s3cret"));
        assertNull(users.verify("ann", "${secret}"));
    }

    @Test
    void replacesThemBySystemPropertiesByDefaultAsTomcatDoes() throws IOException {
        String version = System.getProperty("java.specification.version");
        UsersFile users =
                read("<tomcat-users><user name='a' password='${java.specification.version}'/></tomcat-users>");
        assertNotNull(users.verify("a", version));
        assertNull(users.verify("a", "${java.specification.version}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE tomcat-users>",
                "<!-- a --><!DOCTYPE tomcat-users SYSTEM 'file:///no/such>.dtd'>",
                "<?xml version='1.0'?>\n<!DOCTYPE tomcat-users PUBLIC \"a\" \"http://127.0.0.1/b.dtd\">\n",
            })
    void readsNoDtd(String start) throws IOException {
        assertNotNull(read(start + "<tomcat-users><user name='a' password='b'/></tomcat-users>")
                .verify("a", "b"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<user username='${unset}' password='b' roles='c'/>",
                "<user name='${unset}' password='b' roles='c'/>",
                "<user username='a' password='${unset}' roles='c'/>",
                "<user username='a' password='b' roles='c,${unset}'/>",
                "<user username='a' password='b' groups='${unset}'/>",
                "<group groupname='${unset}' roles='a'/>",
                "<group groupname='a' roles='${unset}'/>",
            })
    void refusesPlaceholdersWithoutAValue(String element) {
        IOException refusal = assertThrows(
                IOException.class, () -> read("<tomcat-users>\n" + element + "</tomcat-users>", name -> null));
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.contains("users.xml:2: ") && message.contains("${unset}"), message);
    }

    /** The tomcat-users.xml of Tomcat 5.5 to 8.0 begins like this. */
    @ParameterizedTest
    @ValueSource(strings = {"cp1252", "Cp1252", "windows-1252", "ISO8859_1", "UTF-16", "UTF-16LE", "UTF8"})
    void readsEncodingsByTheirNamesInJava(String encoding) throws IOException {
        String text = "<?xml version='1.0' encoding='" + encoding
                + "'?>\n<tomcat-users><user username='j\u00f6' password='x'/></tomcat-users>";
        Path file = Files.write(directory.resolve("users.xml"), text.getBytes(Charset.forName(encoding)));
        assertNotNull(UsersFile.read(file).verify("j\u00f6", "x"));
    }

    private UsersFile read(String text, UnaryOperator<@Nullable String> variables) throws IOException {
        return UsersFile.read(
                Files.writeString(directory.resolve("users.xml"), text), PasswordFormat.detected(), variables);
    }

    private UsersFile read(String text) throws IOException {
        return UsersFile.read(Files.writeString(directory.resolve("users.xml"), text));
    }
}
