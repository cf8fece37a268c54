package io.millrace.standalone;

import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.RealmConfig;
import io.millrace.standalone.config.SingleSignOnValves;
import io.millrace.standalone.config.Values;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The identity stores and single sign-ons of a server's hosts: those of the Engine have one instance for all hosts that use them. */
final class SharedLogins {

    private final SharedResources shared;
    private final Map<RealmConfig, IdentityStore> stores = new HashMap<>();
    private final Map<Values, Map<IdentityStore, SingleSignOn>> signOns = new HashMap<>();

    /** @param shared provides the pools, drivers and login modules of Realms */
    SharedLogins(SharedResources shared) {
        this.shared = shared;
    }

    /** Null without a Realm. */
    @Nullable
    IdentityStore users(@Nullable RealmConfig realm) throws OperatorException {
        if (realm == null) {
            return null;
        }
        IdentityStore known = stores.get(realm);
        if (known == null) {
            known = RealmFactory.store(realm, shared);
            stores.put(realm, known);
        }
        return known;
    }

    /** Returns the Host's, or else the Engine's; null without either. */
    @Nullable
    SingleSignOn signOn(List<Values> ofEngine, List<Values> ofHost, @Nullable IdentityStore users) {
        Values valve = last(ofHost);
        Values used = valve == null ? last(ofEngine) : valve;
        if (used == null) {
            return null;
        }
        SingleSignOn.Options options = new SingleSignOn.Options(
                used.text("cookieName", ""), used.text("cookieDomain"), used.flag("requireReauthentication"));
        IdentityStore any = IdentityStore.NONE;
        Map<IdentityStore, SingleSignOn> byUsers =
                signOns.computeIfAbsent(used, unused -> new HashMap<>(Map.of(any, new SingleSignOn(any, options))));
        SingleSignOn all = Objects.requireNonNull(byUsers.get(any));
        boolean isForAll = users == null || options.requireReauthentication();
        return isForAll ? all : byUsers.computeIfAbsent(users, all::withUsers);
    }

    private static @Nullable Values last(List<Values> valves) {
        return valves.stream()
                .filter(SingleSignOnValves::isOne)
                .reduce((first, second) -> second)
                .orElse(null);
    }
}
