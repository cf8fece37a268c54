package io.millrace.standalone.config.realm;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;

import io.millrace.servlet.identity.IdentityStore;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.resource.PoolAttributes;
import io.millrace.standalone.config.schema.Element;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Tomcat's DataSourceRealm: connections of a Resource of the server, or of its Context. */
public final class DataSourceRealm extends DatabaseRealm {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<String> DATA_SOURCE_NAME = GROUP.optional("dataSourceName", TEXT);
    private static final Setting<Boolean> LOCAL_DATA_SOURCE = GROUP.add("localDataSource", BOOLEAN, false);

    DataSourceRealm() {
        super("DataSourceRealm", GROUP.settings(), DATA_SOURCE_NAME);
    }

    @Override
    Map<String, String> dataSource(Element realm, RealmPlace place) {
        Map<String, String> attributes = new LinkedHashMap<>();
        String name = realm.find(DATA_SOURCE_NAME);
        if (name == null) {
            return attributes;
        }
        boolean local = realm.get(LOCAL_DATA_SOURCE);
        String wanted = local ? linked(name, place.own()) : name;
        (local && wanted.equals(name) ? place.own() : place.global())
                .stream()
                        .filter(resource -> resource.name().equals("Resource"))
                        .filter(resource -> wanted.equals(resource.written("name")))
                        .flatMap(resource -> resource.written().stream())
                        .forEach(attribute -> attributes.put(attribute.name(), attribute.value()));
        String factory = attributes.get("factory");
        boolean isPool = factory == null || PoolAttributes.isPool(factory);
        if (isPool && attributes.get("url") == null) {
            place.problems()
                    .error(
                            realm.line(DATA_SOURCE_NAME),
                            "dataSourceName=\"" + name
                                    + "\" on Realm: " + (local ? "its Context" : "GlobalNamingResources")
                                    + " has no Resource of that name with a url");
        }
        return attributes;
    }

    /** The global name of a ResourceLink of the Context; the name itself if it is a Resource of its own. */
    private static String linked(String name, List<Element> own) {
        return own.stream()
                .filter(link -> link.name().equals("ResourceLink") && name.equals(link.written("name")))
                .map(link -> String.valueOf(link.written("global")))
                .findFirst()
                .orElse(name);
    }

    @Override
    IdentityStore make(Realm realm, Resources resources) {
        return users(realm, () -> pool(realm, resources).getConnection());
    }

    /** The pool that applications link to. Created at the first login, so that check does not connect. */
    private static DataSource pool(Realm realm, Resources resources) throws SQLException {
        Map<String, String> attributes = realm.dataSource();
        String name = text(realm.element().find(DATA_SOURCE_NAME));
        Object made;
        try {
            // a pool of a Context has a name that changes with its attributes
            boolean local = realm.element().get(LOCAL_DATA_SOURCE);
            made = resources.get(local ? "users of " + attributes : name, attributes);
        } catch (Exception e) {
            throw new SQLException("the Resource " + name + " cannot be used: " + e.getMessage(), e);
        }
        if (made instanceof DataSource pool) {
            return pool;
        }
        throw new SQLException("the Resource " + name + " is no DataSource, or its jar is not in lib");
    }

    @Override
    @Nullable
    String driver(Realm realm) {
        return realm.dataSource().get("driverClassName");
    }
}
