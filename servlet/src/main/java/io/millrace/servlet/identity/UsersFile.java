package io.millrace.servlet.identity;

import io.millrace.servlet.log.ServletLog;
import io.millrace.text.Placeholders;
import io.millrace.text.XmlErrors;
import io.millrace.text.XmlText;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * The users of a tomcat-users.xml: {@code user} with {@code username} (or {@code name}), {@code password}, {@code roles}
 * and {@code groups}; {@code group} with {@code groupname} (or {@code name}) and {@code roles}. Placeholders such as
 * {@code ${admin.password}} or {@code ${admin.roles:-none}} are replaced, by default by system properties as in Tomcat; a file with one
 * that has neither a value nor a default is invalid. A changed file is reloaded by a
 * login, at most every 5 seconds, as with Tomcat's {@code watchSource}; if it is invalid, the users stay as they were.
 * Thread-safe.
 */
public final class UsersFile implements IdentityStore {

    /** The shortest interval between two checks for a change. */
    private static final long CHECK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Path file;
    private final StoredPasswords passwords;
    private final Placeholders placeholders;
    private final AtomicLong checkedAt = new AtomicLong(System.nanoTime());
    private volatile FileTime modified;
    private volatile Map<String, UsersXml.User> users;

    private UsersFile(Path file, PasswordFormat format, Placeholders placeholders) throws IOException {
        this.file = file;
        this.placeholders = placeholders;
        passwords = new StoredPasswords(format);
        modified = Files.getLastModifiedTime(file);
        users = read();
    }

    /**
     * Reads a file whose passwords are in plaintext or in a {@linkplain PasswordFormat#detected() format that is detected}.
     *
     * @throws IOException if the file cannot be read or is invalid; the message names the file and the line
     */
    public static UsersFile read(Path file) throws IOException {
        return read(file, PasswordFormat.detected());
    }

    /**
     * Reads a file.
     *
     * @param format the format of the passwords in it
     * @throws IOException if the file cannot be read or is invalid; the message names the file and the line
     */
    public static UsersFile read(Path file, PasswordFormat format) throws IOException {
        return new UsersFile(file, format, Placeholders.ofProperties());
    }

    /**
     * Reads a file whose placeholders have other values than system properties.
     *
     * @param format the format of the passwords in it
     * @param variables returns the value of a placeholder's name, or null; called whenever the file is read
     * @throws IOException if the file cannot be read or is invalid; the message names the file and the line
     */
    public static UsersFile read(Path file, PasswordFormat format, UnaryOperator<@Nullable String> variables)
            throws IOException {
        return new UsersFile(file, format, new Placeholders(variables));
    }

    @Override
    public @Nullable Identity verify(String name, String password) {
        return verify(new Proof.Password(name, password));
    }

    @Override
    public @Nullable Identity verify(Proof proof) {
        long now = System.nanoTime();
        long before = checkedAt.get();
        if (now - before > CHECK_INTERVAL_NANOS && checkedAt.compareAndSet(before, now)) {
            readIfChanged();
        }
        UsersXml.User user = users.get(proof.name());
        boolean matches = passwords.matches(proof, user == null ? null : user.password());
        return user != null && matches ? user.identity() : null;
    }

    @Override
    public List<String> reload() {
        checkedAt.set(System.nanoTime());
        return List.of(readIfChanged());
    }

    /** Reloads the file if its modification time has changed. Returns a line about it. */
    String readIfChanged() {
        try {
            FileTime time = Files.getLastModifiedTime(file);
            if (!time.equals(modified)) {
                modified = time;
                users = read();
                ServletLog.IDENTITY.usersReloaded(file.toString(), users.size());
            }
            return file + ": " + users.size() + " users";
        } catch (IOException e) {
            ServletLog.IDENTITY.usersNotReloaded(String.valueOf(e.getMessage()));
            return "the users stay as they were: " + e.getMessage();
        }
    }

    private Map<String, UsersXml.User> read() throws IOException {
        Map<String, UsersXml.User> read = UsersXml.read(file, placeholders);
        passwords.seen(read.values().stream().map(UsersXml.User::password).toList());
        return read;
    }

    /** Reads a tomcat-users.xml. */
    static final class UsersXml {

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
        private final Placeholders placeholders;
        private final Map<String, Set<String>> groups = new HashMap<>();
        private final Map<String, Entry> entries = new LinkedHashMap<>();

        private UsersXml(Path file, Placeholders placeholders) {
            this.file = file;
            this.placeholders = placeholders;
        }

        /** Reads the users of a file, by name. */
        static Map<String, User> read(Path file, Placeholders placeholders) throws IOException {
            UsersXml reading = new UsersXml(file, placeholders);
            String text = text(file);
            try {
                reading.document(factory().createXMLStreamReader(new StringReader(text)));
            } catch (XMLStreamException e) {
                throw new IOException(
                        file + ":" + e.getLocation().getLineNumber() + ": not well-formed XML: "
                                + XmlErrors.explain(String.valueOf(e.getMessage())),
                        e);
            }
            return reading.users();
        }

        private static String text(Path file) throws IOException {
            byte[] bytes;
            try {
                bytes = Files.readAllBytes(file);
            } catch (FileSystemException e) {
                throw new IOException(file + ": cannot be read (" + e + "); check the file's permissions", e);
            } catch (IOException e) { // for example because it is a directory
                throw new IOException(file + ": cannot be read: " + e.getMessage(), e);
            }
            try {
                return XmlText.withoutDoctype(XmlText.of(bytes));
            } catch (IOException e) {
                throw new IOException(file + ":1: " + e.getMessage(), e);
            }
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
                    String password = attribute(xml, "password");
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

        private @Nullable String either(XMLStreamReader xml, String attribute, String other) throws IOException {
            String value = attribute(xml, attribute);
            return value != null ? value : attribute(xml, other);
        }

        /** With its placeholders replaced. One that stays would be a password, a role or a name that everybody can read. */
        private @Nullable String attribute(XMLStreamReader xml, String name) throws IOException {
            String value = xml.getAttributeValue(null, name);
            if (value == null) {
                return null;
            }
            List<String> unknown = new ArrayList<>();
            String replaced = placeholders.replace(value, unknown::add);
            if (!unknown.isEmpty()) {
                throw new IOException(
                        file + ":" + xml.getLocation().getLineNumber() + ": " + name + " of <"
                                + xml.getLocalName() + "> has the placeholder ${" + unknown.get(0)
                                + "}, and nothing has that name; set this system property, or replace the placeholder by its value");
            }
            return replaced;
        }

        private Set<String> list(XMLStreamReader xml, String attribute) throws IOException {
            Set<String> names = new HashSet<>();
            String value = attribute(xml, attribute);
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
}
