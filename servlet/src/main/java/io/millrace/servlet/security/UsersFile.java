package io.millrace.servlet.security;

import java.io.IOException;
import java.io.InputStream;
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

/**
 * The users of a tomcat-users.xml: {@code user} with {@code username} (or {@code name}), {@code password}, {@code roles}
 * and {@code groups}; {@code group} with {@code groupname} and {@code roles}. Passwords may be plain, or digested as
 * Tomcat's tools write them.
 */
public final class UsersFile implements IdentityStore {

    private record User(Credential credential, Identity identity) {}

    private record Group(Set<String> roles) {}

    private record Entry(String name, String password, Set<String> roles, Set<String> groups) {}

    private final Map<String, User> users = new HashMap<>();
    /** Checked for names that don't exist, so that they take as long to refuse. */
    private Credential decoy = new Credential.Plain("");

    private UsersFile() {}

    /**
     * Reads it once.
     *
     * @throws IOException if it can't be read or is not such a file; the message names file and line
     */
    public static UsersFile read(Path file) throws IOException {
        UsersFile read = new UsersFile();
        Map<String, Group> groups = new HashMap<>();
        Map<String, Entry> entries = new LinkedHashMap<>();
        try (InputStream in = Files.newInputStream(file)) {
            XMLStreamReader xml = factory().createXMLStreamReader(in);
            xml.nextTag();
            if (!xml.getLocalName().equals("tomcat-users")) {
                throw new IOException(file + ":" + xml.getLocation().getLineNumber() + ": found <" + xml.getLocalName()
                        + ">, expected <tomcat-users>.");
            }
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT) {
                    element(xml, file, groups, entries);
                }
            }
        } catch (XMLStreamException e) {
            throw new IOException(
                    file + ":" + e.getLocation().getLineNumber() + ": not well-formed: " + e.getMessage(), e);
        }
        entries.values().forEach(entry -> read.add(entry, groups));
        return read;
    }

    @Override
    public @Nullable Identity verify(String name, String password) {
        User user = users.get(name);
        boolean matches = (user == null ? decoy : user.credential()).matches(password);
        return user != null && matches ? user.identity() : null;
    }

    private void add(Entry entry, Map<String, Group> groups) {
        Set<String> roles = new HashSet<>(entry.roles());
        for (String group : entry.groups()) {
            roles.addAll(groups.getOrDefault(group, new Group(Set.of())).roles());
        }
        Credential credential = Credential.parse(entry.password());
        users.put(entry.name(), new User(credential, new Identity(entry.name(), roles)));
        decoy = credential;
    }

    private static void element(XMLStreamReader xml, Path file, Map<String, Group> groups, Map<String, Entry> entries)
            throws IOException {
        switch (xml.getLocalName()) {
            case "user" -> {
                String name = either(xml, "username", "name");
                String password = xml.getAttributeValue(null, "password");
                if (name == null || password == null) {
                    throw new IOException(file + ":" + xml.getLocation().getLineNumber()
                            + ": a user needs the attributes username and password.");
                }
                entries.put(name, new Entry(name, password, list(xml, "roles"), list(xml, "groups")));
            }
            case "group" -> {
                String name = either(xml, "groupname", "name");
                if (name != null) {
                    groups.put(name, new Group(list(xml, "roles")));
                }
            }
            default -> {
                // role declares a name only; what else there may be is not ours
            }
        }
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

    /** Nothing outside the file is read, whatever it refers to. */
    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory;
    }
}
