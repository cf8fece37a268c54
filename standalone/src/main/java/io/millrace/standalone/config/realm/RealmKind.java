package io.millrace.standalone.config.realm;

import static io.millrace.settings.SettingType.BOOLEAN;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.LockOut;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.identity.StoreUnavailableException;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A kind of Realm. Its class name only selects it; the class is not loaded. */
public abstract class RealmKind extends Element.Kind {

    /** What stores need of the server. */
    public interface Resources {

        /** Loads the database drivers and the login modules. */
        ClassLoader server();

        /**
         * The object of a Resource, which is made when it is first asked for.
         *
         * @return null if only an application has the classes that it needs
         */
        @Nullable
        Object get(String name, Map<String, String> attributes) throws Exception;

        /** Makes the lock-out of a Realm's users, which other servers may share. */
        default LockOut lockOut(IdentityStore users, int failures, Duration period, int capacity) {
            return new LockOut(users, failures, period, capacity);
        }
    }

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Boolean> STRIP_REALM_FOR_GSS = GROUP.add("stripRealmForGss", BOOLEAN, true);

    /** @param own the attributes besides those that all Realms have */
    @SafeVarargs
    RealmKind(String name, List<Attribute<?>>... own) {
        super(
                "Realm",
                UnknownRealm.PACKAGE + name,
                Attribute.all(TomcatAttributes.of("Realm"), Attribute.of(GROUP.settings()), Attribute.all(own)),
                "Realm",
                "CredentialHandler");
    }

    @Override
    public Problem.@Nullable Severity costOfErrors(String parent) {
        return parent.equals("Context") ? Problem.Severity.REALM : null;
    }

    /** Reports missing attributes of a Realm that has an effect. */
    void checkUsed(Element realm, Problems problems) {}

    /** The file of users or of the JAAS configuration, which need not exist; null without one. */
    @Nullable
    Path file(Element realm, RealmPlace place) {
        return null;
    }

    /** The attributes of its Resource; empty without one. */
    Map<String, String> dataSource(Element realm, RealmPlace place) {
        return Map.of();
    }

    /** @throws OperatorException, or any exception of the stores' builders, if it cannot be used */
    abstract IdentityStore make(Realm realm, Resources resources) throws OperatorException;

    /** The class of its database driver; null without one. */
    @Nullable
    String driver(Realm realm) {
        return null;
    }

    /** Whether names are locked after too many wrong passwords. */
    boolean locksOut() {
        return false;
    }

    /** Says what keeps all users from logging in; null if nothing is known. */
    @Nullable
    String notice(Realm realm) {
        return null;
    }

    static void require(Element realm, Problems problems, List<Setting<?>> settings) {
        for (Setting<?> setting : settings) {
            if (realm.find(setting) == null) {
                problems.error(realm.line(), "Realm has no " + setting);
            }
        }
    }

    private static RealmKind of(Realm realm) {
        return (RealmKind) realm.element().kind();
    }

    /**
     * The store of a Realm.
     *
     * @throws OperatorException if it cannot be used; the message is the reason
     */
    public static IdentityStore store(Realm realm, Resources resources) throws OperatorException {
        try {
            IdentityStore store = of(realm).make(realm, resources);
            // nested realms have this setting each
            boolean strips = realm.nested().isEmpty() && realm.element().get(STRIP_REALM_FOR_GSS);
            return strips ? IdentityStore.withoutKerberosRealm(store) : store;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new OperatorException(
                    "the Realm in " + realm.element().where() + " cannot be used: " + e.getMessage());
        }
    }

    /** Whether a Realm locks names after too many wrong passwords. */
    public static boolean locksOut(Realm realm) {
        return of(realm).locksOut();
    }

    /** The store of a Realm of a Context. One that cannot be used admits nobody, and costs only what asks for a login. */
    public static IdentityStore storeOfContext(Realm realm, Resources resources) {
        String defect = defect(realm, resources);
        try {
            return defect == null ? store(realm, resources) : closed(realm, defect);
        } catch (OperatorException changed) {
            return closed(realm, String.valueOf(changed.getMessage()));
        }
    }

    /** Why nobody can log in by the Realm of a Context; null if no reason is known. Connects to nothing. */
    public static @Nullable String defect(Realm realm, Resources resources) {
        if (realm.defect() != null) {
            return realm.defect();
        }
        try {
            store(realm, resources);
            return null;
        } catch (OperatorException e) {
            return e.getMessage();
        }
    }

    private static IdentityStore closed(Realm realm, String defect) {
        String message = "the Realm in " + realm.element().where() + " of its Context cannot be used: " + defect;
        return new IdentityStore() {
            @Override
            public Identity verify(String name, String password) {
                throw new StoreUnavailableException(message);
            }

            @Override
            public Identity verify(Proof proof) {
                throw new StoreUnavailableException(message);
            }
        };
    }

    /** The classes of the database drivers of a Realm and those in it. */
    public static List<String> drivers(Realm realm) {
        List<String> found = new ArrayList<>();
        realm.nested().forEach(nested -> found.addAll(drivers(nested)));
        String driver = of(realm).driver(realm);
        if (driver != null) {
            found.add(driver);
        }
        return found;
    }

    /** What keeps all users of a Realm and of those in it from logging in, such as a file that does not exist. */
    public static List<String> notices(@Nullable Realm realm) {
        List<String> found = new ArrayList<>();
        if (realm != null && realm.defect() == null) {
            realm.nested().forEach(nested -> found.addAll(notices(nested)));
            String notice = of(realm).notice(realm);
            if (notice != null) {
                found.add(notice);
            }
        }
        return found;
    }

    static String text(@Nullable String text) {
        return Objects.requireNonNullElse(text, "");
    }
}
