package io.millrace.standalone.config.realm;

import static io.millrace.settings.SettingType.TEXT;

import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.UsersFile;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.resource.TomcatFactories;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.text.Placeholders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tomcat's MemoryRealm, and its UserDatabaseRealm, whose Resource in GlobalNamingResources names the file. */
public final class UsersFileRealm extends RealmKind {

    /** The values of placeholders in files of users: system properties, else environment variables, as in server.xml. */
    public static final Placeholders VARIABLES = Placeholders.ofSystem(Map.of());

    private static final String DEFAULT_PATH = "conf/tomcat-users.xml";
    private static final Setting<String> RESOURCE_NAME = new SettingGroup().add("resourceName", TEXT, "UserDatabase");
    private static final Setting<String> PATHNAME = new SettingGroup().add("pathname", TEXT, DEFAULT_PATH);

    private final boolean isOfResource;

    private UsersFileRealm(String name, boolean isOfResource, List<Attribute<?>> own) {
        super(name, own);
        this.isOfResource = isOfResource;
    }

    static UsersFileRealm ofFile() {
        return new UsersFileRealm("MemoryRealm", false, Attribute.of(List.of(PATHNAME)));
    }

    static UsersFileRealm ofResource() {
        return new UsersFileRealm(
                "UserDatabaseRealm",
                true,
                Attribute.all(Attribute.of(List.of(RESOURCE_NAME)), TomcatAttributes.of("UserDatabaseRealm")));
    }

    @Override
    Path file(Element realm, RealmPlace place) {
        return place.base().resolve(isOfResource ? ofResource(realm, place) : realm.get(PATHNAME));
    }

    private static String ofResource(Element realm, RealmPlace place) {
        String name = realm.get(RESOURCE_NAME);
        List<Element> named = place.global().stream()
                .filter(each -> name.equals(each.written("name")))
                .toList();
        List<Element> databases =
                named.stream().filter(TomcatFactories::isUserDatabase).toList();
        boolean inFile = named.stream()
                .map(each -> each.written("factory"))
                .allMatch(factory -> factory == null || factory.equals(TomcatFactories.USER_DATABASE));
        if (databases.isEmpty()) {
            place.problems()
                    .error(
                            realm.line(RESOURCE_NAME),
                            "resourceName=\"" + name
                                    + "\" on Realm: GlobalNamingResources has no Resource of that name and of type"
                                    + " org.apache.catalina.UserDatabase");
        } else if (!inFile) {
            place.problems()
                    .error(
                            realm.line(RESOURCE_NAME),
                            "resourceName=\"" + name + "\" on Realm: its Resource has another factory than "
                                    + TomcatFactories.USER_DATABASE
                                    + ", which is not supported; use a DataSourceRealm for users in a database");
        }
        return databases.stream()
                .map(resource -> resource.written("pathname"))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(DEFAULT_PATH);
    }

    @Override
    IdentityStore make(Realm realm, Resources resources) throws OperatorException {
        Path file = Objects.requireNonNull(realm.file());
        if (Files.notExists(file)) {
            return IdentityStore.NONE; // as Tomcat; with a notice
        }
        try {
            return UsersFile.read(file, realm.passwords(), VARIABLES::valueOf);
        } catch (IOException e) {
            throw new OperatorException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    @Nullable
    String notice(Realm realm) {
        Path file = Objects.requireNonNull(realm.file());
        return Files.exists(file)
                ? null
                : file + ": there is no such file, so nobody can log in by the Realm in "
                        + realm.element().where();
    }
}
