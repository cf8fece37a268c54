package io.millrace.standalone.config.realm;

import static io.millrace.settings.SettingType.TEXT;

import io.millrace.servlet.identity.DatabaseUsers;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Realm whose users are in the tables of a database. */
public abstract class DatabaseRealm extends RealmKind {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<String> USER_TABLE = GROUP.optional("userTable", TEXT);
    private static final Setting<String> USER_NAME_COL = GROUP.optional("userNameCol", TEXT);
    private static final Setting<String> USER_CRED_COL = GROUP.optional("userCredCol", TEXT);
    private static final Setting<String> USER_ROLE_TABLE = GROUP.optional("userRoleTable", TEXT);
    private static final Setting<String> ROLE_NAME_COL = GROUP.optional("roleNameCol", TEXT);

    private final Setting<String> database;

    /** @param database the setting that names the database */
    DatabaseRealm(String name, List<Setting<?>> own, Setting<String> database) {
        super(name, Attribute.of(GROUP.settings()), Attribute.of(own));
        this.database = database;
    }

    @Override
    void checkUsed(Element realm, Problems problems) {
        require(realm, problems, List.of(database, USER_TABLE, USER_NAME_COL, USER_CRED_COL));
    }

    static IdentityStore users(Realm realm, DatabaseUsers.Connections connections) {
        Element element = realm.element();
        DatabaseUsers.Builder users = DatabaseUsers.in(connections)
                .users(
                        text(element.find(USER_TABLE)),
                        text(element.find(USER_NAME_COL)),
                        text(element.find(USER_CRED_COL)))
                .passwords(realm.passwords());
        @Nullable String roles = element.find(USER_ROLE_TABLE);
        @Nullable String role = element.find(ROLE_NAME_COL);
        return (roles == null || role == null ? users : users.roles(roles, role)).build();
    }
}
