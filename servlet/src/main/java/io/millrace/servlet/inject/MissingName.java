package io.millrace.servlet.inject;

/** The message for a missing name, with the configuration that would add it. */
final class MissingName {

    private static final String ENVIRONMENT = "java:comp/env/";

    private MissingName() {}

    static String of(InjectionPoint point) {
        String lookup = point.lookup();
        String found = point.where() + " requires " + point.name()
                + (lookup == null ? "" : ", an alias of " + lookup)
                + ", which this application does not have. ";
        String name = lookup == null ? point.name() : lookup;
        if (name.startsWith("java:") && !name.startsWith(ENVIRONMENT)) {
            return found + "Only names below " + ENVIRONMENT + " exist; use one of these.";
        }
        return found + remedy(name.startsWith(ENVIRONMENT) ? name.substring(ENVIRONMENT.length()) : name, point.type());
    }

    private static String remedy(String name, Class<?> type) {
        String typeName = SimpleType.name(type);
        if (SimpleType.is(type)) {
            return "Add <Environment name=\"" + name + "\" type=\"" + typeName
                    + "\" value=\"...\"/> to its context.xml, "
                    + "or <env-entry><env-entry-name>" + name + "</env-entry-name><env-entry-type>" + typeName
                    + "</env-entry-type><env-entry-value>...</env-entry-value></env-entry> to its web.xml";
        }
        String how = typeName.equals("javax.sql.DataSource")
                ? "driverClassName=\"...\" url=\"...\" username=\"...\" password=\"...\""
                : "factory=\"...\"";
        return "Add <Resource name=\"" + name + "\" type=\"" + typeName + "\" " + how + "/> to its context.xml";
    }
}
