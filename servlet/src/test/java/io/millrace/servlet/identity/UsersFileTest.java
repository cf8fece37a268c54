package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Set;
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
        IOException refusal = assertThrows(IOException.class, () -> UsersXml.read(file));
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

    private UsersFile read(String text) throws IOException {
        return UsersFile.read(Files.writeString(directory.resolve("users.xml"), text));
    }
}
