package io.millrace.standalone.config.realm;

import static io.millrace.settings.SettingType.number;

import io.millrace.servlet.identity.IdentityStore;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Tomcat's CombinedRealm, and its LockOutRealm, which refuses names after too many wrong passwords. */
public final class NestingRealm extends RealmKind {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Integer> FAILURE_COUNT = GROUP.add("failureCount", number(1, Integer.MAX_VALUE), 5);
    private static final Setting<Integer> LOCK_OUT_TIME = GROUP.add("lockOutTime", number(1, Integer.MAX_VALUE), 300);
    private static final Setting<Integer> CACHE_SIZE = GROUP.add("cacheSize", number(1, 1_000_000), 1000);

    private final boolean locksOut;

    private NestingRealm(String name, boolean locksOut, List<Attribute<?>> own) {
        super(name, own);
        this.locksOut = locksOut;
    }

    static NestingRealm combined() {
        return new NestingRealm("CombinedRealm", false, List.of());
    }

    static NestingRealm lockOut() {
        return new NestingRealm(
                "LockOutRealm",
                true,
                Attribute.all(Attribute.of(GROUP.settings()), TomcatAttributes.of("LockOutRealm")));
    }

    @Override
    boolean locksOut() {
        return locksOut;
    }

    @Override
    void checkUsed(Element realm, Problems problems) {
        if (realm.children("Realm").stream().noneMatch(nested -> nested.kind() instanceof RealmKind)) {
            problems.warning(realm.line(), "Realm contains no Realm, so nobody can log in; add one");
        }
    }

    @Override
    IdentityStore make(Realm realm, Resources resources) throws OperatorException {
        List<IdentityStore> stores = new ArrayList<>();
        for (Realm each : realm.nested()) {
            stores.add(store(each, resources));
        }
        IdentityStore any = IdentityStore.anyOf(stores.toArray(IdentityStore[]::new));
        Element element = realm.element();
        return locksOut
                ? resources.lockOut(
                        any,
                        element.get(FAILURE_COUNT),
                        Duration.ofSeconds(element.get(LOCK_OUT_TIME)),
                        element.get(CACHE_SIZE))
                : any;
    }
}
