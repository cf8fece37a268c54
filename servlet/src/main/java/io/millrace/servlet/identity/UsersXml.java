package io.millrace.servlet.identity;

import io.millrace.text.XmlErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Reads a tomcat-users.xml. */
final class UsersXml {

    /** One user, with the roles of the user's groups. */
    record User(String password, Identity identity) {

        /** Without the password. */
        @Override
        public String toString() {
            return identity.name();
        }
    }

    private record Entry(String password, Set<String> roles, Set<String> groups) {}

    private final Path file;
    private final Map<String, Set<String>> groups = new HashMap<>();
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private UsersXml(Path file) {
        this.file = file;
    }

    /** Reads the users of a file, by name. */
    static Map<String, User> read(Path file) throws IOException {
        UsersXml reading = new UsersXml(file);
        try (InputStream in = Files.newInputStream(file)) {
            reading.document(factory().createXMLStreamReader(in));
        } catch (FileSystemException e) {
            throw new IOException(file + ": cannot be read (" + e + "); check the file's permissions", e);
        } catch (XMLStreamException e) {
            if (e.getLocation() == null) { // reading failed before any parsing, for example because it is a directory
                throw new IOException(file + ": cannot be read: " + e.getMessage(), e);
            }
            throw new IOException(
                    file + ":" + e.getLocation().getLineNumber() + ": not well-formed XML: "
                            + XmlErrors.explain(String.valueOf(e.getMessage())),
                    e);
        }
        return reading.users();
    }

    private void document(XMLStreamReader xml) throws XMLStreamException, IOException {
        xml.nextTag();
        if (!xml.getLocalName().equals("tomcat-users")) {
            throw new IOException(file + ":" + xml.getLocation().getLineNumber() + ": found <" + xml.getLocalName()
                    + ">, expected <tomcat-users>");
        }
        while (xml.hasNext()) {
            if (xml.next() == XMLStreamConstants.START_ELEMENT) {
                element(xml);
            }
        }
    }

    private void element(XMLStreamReader xml) throws IOException {
        switch (xml.getLocalName()) {
            case "user" -> {
                String name = either(xml, "username", "name");
                String password = xml.getAttributeValue(null, "password");
                if (name == null || password == null) {
                    throw new IOException(file + ":" + xml.getLocation().getLineNumber()
                            + ": found <user> without " + (name == null ? "username" : "password")
                            + "; expected the attributes username and password");
                }
                entries.put(name, new Entry(password, list(xml, "roles"), list(xml, "groups")));
            }
            case "group" -> {
                String name = either(xml, "groupname", "name");
                if (name != null) {
                    groups.put(name, list(xml, "roles"));
                }
            }
            default -> {
                // <role> only declares a name; other elements are ignored
            }
        }
    }

    private Map<String, User> users() {
        Map<String, User> users = new HashMap<>();
        entries.forEach((name, entry) -> {
            Set<String> roles = new HashSet<>(entry.roles());
            entry.groups().forEach(group -> roles.addAll(groups.getOrDefault(group, Set.of())));
            users.put(name, new User(entry.password(), new Identity(name, roles)));
        });
        return users;
    }

    private static @Nullable String either(XMLStreamReader xml, String attribute, String other) {
        String value = xml.getAttributeValue(null, attribute);
        return value != null ? value : xml.getAttributeValue(null, other);
    }

    private static Set<String> list(XMLStreamReader xml, String attribute) {
        Set<String> names = new HashSet<>();
        String value = xml.getAttributeValue(null, attribute);
        for (String name : value == null ? new String[0] : value.split(",", -1)) {
            if (!name.isBlank()) {
                names.add(name.trim());
            }
        }
        return names;
    }

    /** Without external entities and DTDs: parsing reads no other file. */
    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory;
    }
}
