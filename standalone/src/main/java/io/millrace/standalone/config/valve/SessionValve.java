package io.millrace.standalone.config.valve;

import io.millrace.servlet.WebApplication;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import java.util.List;

/** A Valve of Engine, Host and Context that configures the sessions of applications and handles no requests. It restricts nobody. */
public abstract class SessionValve extends ValveKind {

    @SafeVarargs
    SessionValve(String className, List<Attribute<?>>... own) {
        super(className, own);
    }

    @Override
    public final boolean restricts() {
        return false;
    }

    /** The sessions of an application with this Valve. Of several of a class the last one counts. */
    public SessionSettings sessions(Element valve, SessionSettings sessions) {
        return sessions;
    }

    /** Configures an application. */
    public void configure(Element valve, WebApplication application) {}
}
