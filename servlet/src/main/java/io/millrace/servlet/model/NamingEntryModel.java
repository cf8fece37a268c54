package io.millrace.servlet.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JNDI name of an application: an env-entry, or a reference to a resource of the container.
 *
 * @param name relative to {@code java:comp/env}, unless it begins with {@code java:}
 * @param type a class name; null if the type is that of the injection target
 * @param value the value of an env-entry; null if it has none
 * @param lookup the name of which this one is an alias (lookup-name, ejb-link, message-destination-link); null if there is none
 */
public record NamingEntryModel(
        Kind kind,
        String name,
        @Nullable String type,
        @Nullable String value,
        @Nullable String lookup,
        List<InjectionTargetModel> injectionTargets) {

    /** This entry without its value and lookup name: the operator's configuration provides the object. */
    public NamingEntryModel withoutValue() {
        return new NamingEntryModel(kind, name, type, null, null, injectionTargets);
    }

    /** Whether it is a resource-ref for which nothing in the application says what it refers to. */
    public boolean isOpenReference() {
        return kind == Kind.RESOURCE && value == null && lookup == null;
    }

    /** The element of web.xml that declares the entry. */
    public enum Kind {
        ENV_ENTRY("env-entry"),
        RESOURCE("resource-ref"),
        RESOURCE_ENV("resource-env-ref"),
        EJB("ejb-ref"),
        EJB_LOCAL("ejb-local-ref"),
        MESSAGE_DESTINATION("message-destination-ref"),
        PERSISTENCE_CONTEXT("persistence-context-ref"),
        PERSISTENCE_UNIT("persistence-unit-ref"),
        SERVICE("service-ref");

        private final String element;

        Kind(String element) {
            this.element = element;
        }

        /** The element's name in web.xml. */
        public String element() {
            return element;
        }
    }
}
