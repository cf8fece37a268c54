package io.millrace.standalone.config;

import io.millrace.servlet.identity.PasswordFormat;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads Realm elements, and reports missing and invalid attributes. */
final class RealmReader {

    private final List<ConfigElement> global;
    private final Path base;
    private final Problems problems;
    /** The elements of the Context whose realm is read, for those with localDataSource. */
    private List<ConfigElement> own = List.of();

    /**
     * For one file.
     *
     * @param global the Resource elements of GlobalNamingResources
     * @param base the directory to which relative paths are relative
     */
    RealmReader(List<ConfigElement> global, Path base, Problems problems) {
        this.global = global;
        this.base = base;
        this.problems = problems;
    }

    /** The realm of an Engine, Host or Context; null if it has none. */
    @Nullable
    RealmConfig in(ConfigElement container) {
        List<ConfigElement> realms = container.children("Realm");
        if (realms.size() > 1) {
            problems.warning(
                    realms.get(1).line(),
                    container.name() + " has " + realms.size()
                            + " Realm elements, and only the last one has an effect, as in Tomcat; put them into a"
                            + " CombinedRealm to use all of them");
        }
        own = container.name().equals("Context") ? container.children() : List.of();
        return realms.isEmpty() ? null : realm(realms.get(realms.size() - 1));
    }

    /** Null if it is of an unknown class, which the Validator has reported. */
    private @Nullable RealmConfig realm(ConfigElement element) {
        ElementRule rule = RealmVocabulary.of(element);
        if (rule == null) {
            return null;
        }
        Values values = new Values(element, rule);
        List<RealmConfig> nested = new ArrayList<>();
        for (ConfigElement child : element.children("Realm")) {
            RealmConfig realm = realm(child);
            if (realm != null) {
                nested.add(realm);
            }
        }
        RealmConfig.Kind kind = kind(element);
        check(kind, values, nested);
        return new RealmConfig(
                kind, values, passwords(element), file(kind, element, values), dataSource(kind, values), nested);
    }

    private @Nullable Path file(RealmConfig.Kind kind, ConfigElement element, Values values) {
        String configuration = kind == RealmConfig.Kind.JAAS ? values.text("configFile") : null;
        return switch (kind) {
            case USERS_FILE -> usersFile(element, values);
            case JAAS -> configuration == null ? null : base.resolve(configuration);
            default -> null;
        };
    }

    private static RealmConfig.Kind kind(ConfigElement element) {
        return switch (RealmVocabulary.simpleName(element)) {
            case "UserDatabaseRealm", "MemoryRealm" -> RealmConfig.Kind.USERS_FILE;
            case "JDBCRealm" -> RealmConfig.Kind.JDBC;
            case "DataSourceRealm" -> RealmConfig.Kind.DATA_SOURCE;
            case "JNDIRealm" -> RealmConfig.Kind.LDAP;
            case "JAASRealm" -> RealmConfig.Kind.JAAS;
            case "AuthenticatedUserRealm" -> RealmConfig.Kind.AUTHENTICATED;
            case "CombinedRealm" -> RealmConfig.Kind.COMBINED;
            case "LockOutRealm" -> RealmConfig.Kind.LOCK_OUT;
            default -> RealmConfig.Kind.NOBODY;
        };
    }

    private void check(RealmConfig.Kind kind, Values values, List<RealmConfig> nested) {
        switch (kind) {
            case JDBC -> {
                require(values, "connectionURL", "userTable", "userNameCol", "userCredCol");
            }
            case DATA_SOURCE -> require(values, "dataSourceName", "userTable", "userNameCol", "userCredCol");
            case LDAP -> {
                require(values, "connectionURL");
                if (values.text("userPattern") == null && values.text("userSearch") == null) {
                    problems.error(values.line(), "JNDIRealm needs userPattern or userSearch to find users");
                }
            }
            case JAAS -> require(values, "userClassNames");
            case COMBINED, LOCK_OUT -> {
                if (nested.isEmpty()) {
                    problems.warning(values.line(), "Realm contains no Realm, so nobody can log in; add one");
                }
            }
            default -> {
                // needs nothing
            }
        }
    }

    private void require(Values values, String... names) {
        for (String name : names) {
            if (values.text(name) == null) {
                problems.error(values.line(), "Realm has no " + name);
            }
        }
    }

    private Path usersFile(ConfigElement element, Values values) {
        if (values.has("resourceName")) {
            String name = values.text("resourceName", "");
            boolean known = global.stream()
                    .anyMatch(each -> UsersFileSetting.isUserDatabase(each) && name.equals(each.value("name")));
            boolean inFile = global.stream()
                    .filter(each -> name.equals(each.value("name")))
                    .map(each -> each.value("factory"))
                    .allMatch(factory -> factory == null || factory.equals(UsersFileSetting.FACTORY));
            if (known && !inFile) {
                problems.error(
                        values.line("resourceName"),
                        "resourceName=\"" + name + "\" on Realm: its Resource has another factory than "
                                + UsersFileSetting.FACTORY
                                + ", which is not supported; use a DataSourceRealm for users in a database");
            } else if (!known) {
                problems.error(
                        values.line("resourceName"),
                        "resourceName=\"" + name
                                + "\" on Realm: GlobalNamingResources has no Resource of that name and of type"
                                + " org.apache.catalina.UserDatabase");
            }
        }
        return base.resolve(UsersFileSetting.pathName(RealmVocabulary.simpleName(element), values, global));
    }

    private Map<String, String> dataSource(RealmConfig.Kind kind, Values values) {
        Map<String, String> attributes = new LinkedHashMap<>();
        String name = kind == RealmConfig.Kind.DATA_SOURCE ? values.text("dataSourceName") : null;
        if (name == null) {
            return attributes;
        }
        boolean local = values.flag("localDataSource");
        String wanted = local ? linked(name) : name;
        (local && wanted.equals(name) ? own : global)
                .stream()
                        .filter(resource -> resource.name().equals("Resource"))
                        .filter(resource -> wanted.equals(resource.value("name")))
                        .flatMap(resource -> resource.attributes().stream())
                        .forEach(attribute -> attributes.put(attribute.name(), attribute.value()));
        String factory = attributes.get("factory");
        boolean isPool = factory == null || PoolAttributes.isPool(factory);
        if (isPool && attributes.get("url") == null) {
            problems.error(
                    values.line("dataSourceName"),
                    "dataSourceName=\"" + name
                            + "\" on Realm: " + (local ? "its Context" : "GlobalNamingResources")
                            + " has no Resource of that name with a url");
        }
        return attributes;
    }

    /** The global name of a ResourceLink of the Context; the name itself if it is a Resource of its own. */
    private String linked(String name) {
        return own.stream()
                .filter(link -> link.name().equals("ResourceLink") && name.equals(link.value("name")))
                .map(link -> String.valueOf(link.value("global")))
                .findFirst()
                .orElse(name);
    }

    private PasswordFormat passwords(ConfigElement element) {
        List<PasswordFormat> formats = new ArrayList<>();
        for (ConfigElement handler : element.children("CredentialHandler")) {
            PasswordFormat format = format(handler);
            if (format != null) {
                formats.add(format);
            }
        }
        return switch (formats.size()) {
            case 0 -> PasswordFormat.detected();
            case 1 -> formats.get(0);
            default -> PasswordFormat.anyOf(formats.toArray(PasswordFormat[]::new));
        };
    }

    private @Nullable PasswordFormat format(ConfigElement handler) {
        ElementRule rule = RealmVocabulary.of(handler);
        if (rule == null) {
            return null;
        }
        String type = RealmVocabulary.simpleName(handler);
        if (type.equals("NestedCredentialHandler")) {
            return passwords(handler);
        }
        String algorithm = handler.value("algorithm");
        try {
            if (type.equals("SecretKeyCredentialHandler")) {
                return PasswordFormat.derivedKey(algorithm == null ? "PBKDF2WithHmacSHA1" : algorithm);
            }
            String encoding = new Values(handler, rule).text("encoding", "UTF-8");
            return algorithm == null
                    ? PasswordFormat.detected()
                    : PasswordFormat.digested(algorithm, Charset.forName(encoding));
        } catch (IllegalArgumentException e) {
            problems.error(handler.line(), "CredentialHandler: " + e.getMessage());
            return null;
        }
    }
}
