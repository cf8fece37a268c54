package io.millrace.servlet.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One name below {@code java:comp/env}: an env-entry or a reference to something the container provides.
 *
 * @param name relative to {@code java:comp/env}
 * @param type class name; null if only an injection target tells it
 * @param value of an env-entry
 * @param lookup the name to look up instead (lookup-name, or ejb-link, message-destination-link and their like)
 */
public record NamingEntryModel(
        Kind kind,
        String name,
        @Nullable String type,
        @Nullable String value,
        @Nullable String lookup,
        List<InjectionTargetModel> injectionTargets) {

    /** The same for the same targets, but what it stands for is given elsewhere. */
    public NamingEntryModel withoutValue() {
        return new NamingEntryModel(kind, name, type, null, null, injectionTargets);
    }

    /** Which element it was. */
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
