package io.millrace.standalone.config.realm;

import static io.millrace.settings.SettingType.TEXT;

import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.JaasUsers;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.security.URIParameter;
import java.util.List;
import java.util.stream.Stream;
import javax.security.auth.login.Configuration;
import org.jspecify.annotations.Nullable;

/** Tomcat's JAASRealm: login modules of the JDK or of the operator. */
public final class JaasRealm extends RealmKind {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<String> APP_NAME = GROUP.add("appName", TEXT, "Tomcat");
    private static final Setting<String> USER_CLASS_NAMES = GROUP.optional("userClassNames", TEXT);
    private static final Setting<String> ROLE_CLASS_NAMES = GROUP.add("roleClassNames", TEXT, "");
    private static final Setting<String> CONFIG_FILE = GROUP.optional("configFile", TEXT);

    JaasRealm() {
        super("JAASRealm", Attribute.of(GROUP.settings()), TomcatAttributes.of("JAASRealm"));
    }

    @Override
    void checkUsed(Element realm, Problems problems) {
        require(realm, problems, List.of(USER_CLASS_NAMES));
    }

    @Override
    @Nullable
    Path file(Element realm, RealmPlace place) {
        String file = realm.find(CONFIG_FILE);
        return file == null ? null : place.base().resolve(file);
    }

    /** As in Tomcat, a file that does not exist is looked up as a resource of the class loader. */
    @Override
    IdentityStore make(Realm realm, Resources resources) throws OperatorException {
        Element element = realm.element();
        Path file = realm.file();
        return JaasUsers.of(
                element.get(APP_NAME),
                file == null ? ofProcess() : configuration(file, text(element.find(CONFIG_FILE)), resources.server()),
                resources.server(),
                names(text(element.find(USER_CLASS_NAMES))),
                names(element.get(ROLE_CLASS_NAMES)));
    }

    private static Configuration configuration(Path file, String name, ClassLoader server) throws OperatorException {
        URL resource = server.getResource(name);
        if (Files.notExists(file) && resource == null) {
            throw new OperatorException(file + ": there is no such file, which configFile of a JAASRealm names");
        }
        try {
            URI uri = Files.exists(file) || resource == null ? file.toUri() : resource.toURI();
            return Configuration.getInstance("JavaLoginConfig", new URIParameter(uri));
        } catch (NoSuchAlgorithmException | URISyntaxException e) {
            throw new OperatorException(file + ": cannot be read as a JAAS configuration (" + e.getMessage() + ")");
        }
    }

    /** The configuration of -Djava.security.auth.login.config. */
    private static Configuration ofProcess() throws OperatorException {
        try {
            return Configuration.getConfiguration();
        } catch (SecurityException e) {
            throw new OperatorException("JAASRealm has no configFile, and this process has no JAAS configuration"
                    + " (-Djava.security.auth.login.config): " + e.getMessage());
        }
    }

    private static List<String> names(String list) {
        return Stream.of(list.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
