package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.text.EditDistance;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds misspelt elements of web.xml 2.2 to 4.0 and web-fragment.xml: if a {@code <security-constraints>} were ignored, what it
 * protects would be public. An unknown element in a security element, or with a name that resembles one, stops the deployment;
 * others are logged.
 */
final class DescriptorNames {

    /** Elements permitted everywhere. */
    private static final Set<String> DESCRIPTIVE =
            Set.of("description", "display-name", "icon", "small-icon", "large-icon");

    /** Elements and their permitted children. The contents of other elements are not checked. */
    private static final Map<String, Set<String>> CHILDREN = table("""
            web-app: distributable context-param filter filter-mapping listener servlet servlet-mapping session-config \
            mime-mapping welcome-file-list error-page jsp-config taglib security-constraint login-config security-role \
            env-entry ejb-ref ejb-local-ref service-ref resource-ref resource-env-ref message-destination-ref \
            persistence-context-ref persistence-unit-ref post-construct pre-destroy data-source jms-connection-factory \
            jms-destination mail-session connection-factory administered-object message-destination module-name \
            locale-encoding-mapping-list absolute-ordering ordering name deny-uncovered-http-methods \
            default-context-path request-character-encoding response-character-encoding
            context-param: param-name param-value
            init-param: param-name param-value
            filter: filter-name filter-class async-supported init-param
            filter-mapping: filter-name url-pattern servlet-name dispatcher
            listener: listener-class
            servlet: servlet-name servlet-class jsp-file init-param load-on-startup enabled async-supported run-as \
            security-role-ref multipart-config
            run-as: role-name
            security-role-ref: role-name role-link
            multipart-config: location max-file-size max-request-size file-size-threshold
            servlet-mapping: servlet-name url-pattern
            session-config: session-timeout cookie-config tracking-mode
            cookie-config: name domain path comment http-only secure max-age
            mime-mapping: extension mime-type
            welcome-file-list: welcome-file
            error-page: error-code exception-type location
            jsp-config: taglib jsp-property-group
            taglib: taglib-uri taglib-location
            jsp-property-group: url-pattern el-ignored page-encoding scripting-invalid is-xml include-prelude \
            include-coda deferred-syntax-allowed-as-literal trim-directive-whitespaces default-content-type buffer \
            error-on-undeclared-namespace
            locale-encoding-mapping-list: locale-encoding-mapping
            locale-encoding-mapping: locale encoding
            absolute-ordering: name others
            ordering: before after
            before: name others
            after: name others
            security-constraint: web-resource-collection auth-constraint user-data-constraint
            web-resource-collection: web-resource-name url-pattern http-method http-method-omission
            auth-constraint: role-name
            user-data-constraint: transport-guarantee
            login-config: auth-method realm-name form-login-config
            form-login-config: form-login-page form-error-page
            security-role: role-name
            """);

    /** Elements that must not have unknown children. */
    private static final Set<String> SECURITY = Set.of(
            "security-constraint",
            "web-resource-collection",
            "auth-constraint",
            "user-data-constraint",
            "login-config",
            "form-login-config",
            "security-role");

    /** Names that must not be misspelt anywhere; filters may restrict access as well. */
    private static final List<String> RESTRICTING = Stream.concat(
                    SECURITY.stream(),
                    Stream.of(
                            "auth-method",
                            "deny-uncovered-http-methods",
                            "filter",
                            "filter-class",
                            "filter-mapping",
                            "http-method",
                            "http-method-omission",
                            "role-name",
                            "run-as",
                            "security-role-ref",
                            "transport-guarantee"))
            .sorted()
            .toList();

    /** Names resemble each other if they differ by at most one edit for each so many characters, or by two. */
    private static final int CHARACTERS_PER_MISTAKE = 5;

    private DescriptorNames() {}

    private static Map<String, Set<String>> table(String lines) {
        return lines.lines()
                .map(line -> line.split(": ", 2))
                .collect(Collectors.toUnmodifiableMap(entry -> entry[0], entry -> Set.of(entry[1].split(" ", -1))));
    }

    /**
     * Checks all elements of a descriptor.
     *
     * @param misspelt receives a sentence for each ignored element whose name resembles a known one
     */
    static void check(DescriptorElement root, List<String> misspelt) throws DeploymentException {
        check(root, CHILDREN.getOrDefault("web-app", Set.of()), misspelt);
    }

    private static void check(DescriptorElement parent, Set<String> known, List<String> misspelt)
            throws DeploymentException {
        for (DescriptorElement child : parent.children()) {
            Set<String> grandchildren = CHILDREN.get(child.name());
            if (!known.contains(child.name())) {
                unknown(child, parent, known, misspelt);
            } else if (grandchildren != null) {
                check(child, grandchildren, misspelt);
            }
        }
    }

    private static void unknown(
            DescriptorElement element, DescriptorElement parent, Set<String> known, List<String> misspelt)
            throws DeploymentException {
        if (DESCRIPTIVE.contains(element.name())) {
            return;
        }
        String here = nearest(element.name(), known);
        boolean restricting = here != null && isRestricting(parent, here);
        if (SECURITY.contains(parent.name()) || restricting) {
            throw element.error("<" + parent.name() + "> has no <" + element.name() + ">"
                    + (here == null
                            ? ", only " + known.stream().sorted().collect(Collectors.joining(">, <", "<", ">"))
                            : suggestion(here)));
        }
        String elsewhere = here == null ? nearest(element.name(), RESTRICTING) : null;
        if (elsewhere != null) {
            throw element.error("<" + parent.name() + "> has no <" + element.name() + ">; <" + elsewhere
                    + "> restricts access, so it must be spelled correctly and be in its place");
        }
        if (here != null) {
            misspelt.add(
                    element.where() + ": <" + parent.name() + "> has no <" + element.name() + ">" + suggestion(here));
        }
        ServletLog.DEPLOY.unknownDescriptorElement(
                element.toString(), parent.name(), here == null ? "" : suggestion(here));
    }

    /** Whether the element may restrict access, as the elements of a filter-mapping do. */
    private static boolean isRestricting(DescriptorElement parent, String name) {
        return RESTRICTING.contains(name) || parent.name().equals("filter-mapping");
    }

    private static String suggestion(String name) {
        return "; did you mean <" + name + ">?";
    }

    private static @Nullable String nearest(String name, Collection<String> candidates) {
        String nearest = EditDistance.nearest(name, candidates);
        return nearest == null
                        || EditDistance.of(name, nearest) > Math.max(2, nearest.length() / CHARACTERS_PER_MISTAKE)
                ? null
                : nearest;
    }
}
