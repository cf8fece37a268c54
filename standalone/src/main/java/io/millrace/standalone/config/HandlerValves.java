package io.millrace.standalone.config;

import org.jspecify.annotations.Nullable;

/** The Valves that requests meet one after the other in Engine, Host and Context, and that stand for a handler each. */
final class HandlerValves {

    private HandlerValves() {}

    /** Null if it is another Valve. */
    static @Nullable ElementRule of(ConfigElement element) {
        ElementRule rule = FrontEndVocabulary.relay(element);
        rule = rule == null ? AddressValves.of(element) : rule;
        rule = rule == null ? RewriteValves.of(element) : rule;
        return rule == null ? ErrorReportValves.of(element) : rule;
    }

    /** Says what only its attributes together can get wrong. */
    static void check(Values valve, Problems problems) {
        if (AddressValves.isOne(valve)) {
            AddressValves.check(valve, problems);
        } else if (FrontEndVocabulary.isRelay(valve)) {
            FrontEndVocabulary.checkTrust(valve, problems);
        } else if (ErrorReportValves.isOne(valve)) {
            ErrorReportValves.check(valve, problems);
        }
    }
}
