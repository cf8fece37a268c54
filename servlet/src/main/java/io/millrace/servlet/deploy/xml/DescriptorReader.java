package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.ErrorPageModel;
import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.model.JspPropertyGroupModel;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.DispatcherType;
import javax.servlet.SessionTrackingMode;
import org.jspecify.annotations.Nullable;

/**
 * Reads web.xml 2.2 to 4.0 and web-fragment.xml. Elements may have any order and namespace, as other containers accept them.
 * Unknown elements are ignored, because a descriptor may be for other servers too, unless {@link DescriptorNames} rejects them.
 */
public final class DescriptorReader {

    private static final Pattern DOCTYPE_VERSION = Pattern.compile("Web Application (\\d\\.\\d)");

    private static final String APPLICATION = "WEB-INF/";
    private static final String FRAGMENT = "META-INF/web-fragment.xml";

    private static final String JAKARTA = "jakarta.ee/xml/ns";

    private final Descriptor descriptor;
    private final ServletElements servlets;
    private final FilterElements filters;
    private final SecurityElements security;
    private final SettingElements settings;
    private final NamingElements naming;
    private final JspElements jsp;
    private final FragmentElements fragment;

    private DescriptorReader(Descriptor descriptor) {
        this.descriptor = descriptor;
        boolean old = "2.2".equals(descriptor.version);
        servlets = new ServletElements(descriptor, old);
        filters = new FilterElements(descriptor, old);
        security = new SecurityElements(descriptor, old);
        settings = new SettingElements(descriptor, old);
        naming = new NamingElements(descriptor);
        jsp = new JspElements(descriptor);
        fragment = new FragmentElements(descriptor);
    }

    /**
     * Reads a descriptor.
     *
     * @param source the file's path in the WAR, for messages
     */
    public static Descriptor read(String source, byte[] bytes) throws DeploymentException {
        Descriptor descriptor = new Descriptor(source);
        if (source.contains(FRAGMENT) && new String(bytes, StandardCharsets.ISO_8859_1).isBlank()) {
            // Some builds write an empty file for "no descriptor". An empty web.xml may be one that was cut off, with
            // its constraints.
            return descriptor;
        }
        XmlDocument document = XmlTree.parse(source, bytes, descriptor.unsetPlaceholders);
        DescriptorElement root = document.root();
        if (!root.name().equals("web-app") && !root.name().equals("web-fragment")) {
            throw root.error("expected <web-app> or <web-fragment>, found <" + root.name() + ">");
        }
        // the defaults of a server are Tomcat 10's then, whose elements are the same
        if (root.namespace().contains(JAKARTA) && source.startsWith(APPLICATION)) {
            throw new JakartaApplication(root.where() + " is in the namespace " + root.namespace()).refusal();
        }
        descriptor.version = version(document);
        descriptor.metadataComplete = "true"
                .equals(String.valueOf(root.attribute("metadata-complete")).toLowerCase(Locale.ROOT));
        DescriptorReader reader = new DescriptorReader(descriptor);
        DescriptorNames.check(root, descriptor.misspelt);
        for (DescriptorElement element : root.children()) {
            reader.accept(element);
        }
        return descriptor;
    }

    private static String version(XmlDocument document) {
        String version = document.root().attribute("version");
        if (version != null) {
            return version.strip();
        }
        Matcher matcher = DOCTYPE_VERSION.matcher(document.doctype());
        return matcher.find() ? matcher.group(1) : "3.1";
    }

    private void accept(DescriptorElement element) throws DeploymentException {
        switch (element.name()) {
            case "servlet" -> servlets.servlet(element);
            case "servlet-mapping" -> servlets.mapping(element);
            case "filter" -> filters.filter(element);
            case "filter-mapping" -> filters.mapping(element);
            case "listener" -> descriptor.listeners.add(element.required("listener-class"));
            case "context-param" -> settings.contextParameter(element);
            case "session-config" -> settings.session(element);
            case "welcome-file-list" -> settings.welcomeFiles(element);
            case "error-page" -> settings.errorPage(element);
            case "mime-mapping" -> settings.mimeType(element);
            case "locale-encoding-mapping-list" -> settings.localeEncodings(element);
            case "security-constraint" -> security.constraint(element);
            case "security-role" -> {
                String role = element.childText("role-name");
                if (role != null) { // without a name it declares none, as in Tomcat
                    descriptor.securityRoles.add(role);
                }
            }
            case "login-config" -> security.login(element);
            case "jsp-config" -> jsp.config(element);
            case "taglib" -> jsp.taglib(element);
            case "ordering" -> fragment.ordering(element);
            case "absolute-ordering" -> fragment.absoluteOrdering(element);
            default -> single(element);
        }
    }

    private void single(DescriptorElement element) throws DeploymentException {
        switch (element.name()) {
            case "name" -> descriptor.name = element.text();
            case "display-name" -> descriptor.displayName = Overlay.first(descriptor.displayName, element.text());
            case "distributable" -> descriptor.distributable = true;
            case "deny-uncovered-http-methods" -> descriptor.denyUncoveredHttpMethods = true;
            case "default-context-path" -> descriptor.defaultContextPath = element.text();
            case "request-character-encoding" -> descriptor.requestCharacterEncoding = element.text();
            case "response-character-encoding" -> descriptor.responseCharacterEncoding = element.text();
            case "description", "icon", "module-name", "message-destination" -> {}
            case "data-source",
                    "jms-connection-factory",
                    "jms-destination",
                    "mail-session",
                    "connection-factory",
                    "administered-object" -> ServletLog.DEPLOY.resourceOfFullServer(element.toString());
            default -> naming.accept(element);
        }
    }

    /** Reads a fragment's ordering and web.xml's absolute-ordering. */
    private static final class FragmentElements {

        private final Descriptor descriptor;

        FragmentElements(Descriptor descriptor) {
            this.descriptor = descriptor;
        }

        void ordering(DescriptorElement element) throws DeploymentException {
            collect(element.child("before"), descriptor.order.before);
            collect(element.child("after"), descriptor.order.after);
        }

        void absoluteOrdering(DescriptorElement element) throws DeploymentException {
            if (descriptor.absoluteOrdering != null) {
                throw element.error("duplicate <absolute-ordering>");
            }
            List<String> names = new ArrayList<>();
            collect(element, names);
            descriptor.absoluteOrdering = names;
        }

        private static void collect(@Nullable DescriptorElement element, Collection<String> names) {
            if (element == null) {
                return;
            }
            for (DescriptorElement child : element.children()) {
                if (child.name().equals("others")) {
                    names.add(FragmentOrder.OTHERS);
                } else if (child.name().equals("name")) {
                    names.add(child.text());
                }
            }
        }
    }

    /** Reads jsp-config for a JSP engine; checks only its structure. */
    private static final class JspElements {

        private static final Set<String> LISTS = Set.of("url-pattern", "include-prelude", "include-coda");

        private final Descriptor descriptor;
        private final Paths paths;

        JspElements(Descriptor descriptor) {
            this.descriptor = descriptor;
            this.paths = new Paths(descriptor, false);
        }

        void config(DescriptorElement element) throws DeploymentException {
            for (DescriptorElement taglib : element.children("taglib")) {
                taglib(taglib);
            }
            for (DescriptorElement group : element.children("jsp-property-group")) {
                descriptor.jspPropertyGroups.add(group(group));
            }
        }

        /** A taglib element; up to 2.3 a child of web-app. */
        void taglib(DescriptorElement element) throws DeploymentException {
            descriptor.taglibs.put(element.required("taglib-uri"), element.required("taglib-location"));
        }

        private JspPropertyGroupModel group(DescriptorElement element) throws DeploymentException {
            Map<String, String> properties = new LinkedHashMap<>();
            for (DescriptorElement property : element.children()) {
                if (!LISTS.contains(property.name())) {
                    properties.put(property.name(), property.text());
                }
            }
            List<String> patterns = new ArrayList<>();
            for (DescriptorElement pattern : element.children("url-pattern")) {
                patterns.add(paths.groupPattern(pattern));
            }
            return new JspPropertyGroupModel(
                    patterns, properties, element.childTexts("include-prelude"), element.childTexts("include-coda"));
        }
    }

    /** Reads filter and filter-mapping. */
    private static final class FilterElements {

        private final Descriptor descriptor;
        private final Paths paths;
        private final Set<String> declared = new HashSet<>();

        /** @param old true for a 2.2 descriptor, whose paths may lack the leading slash */
        FilterElements(Descriptor descriptor, boolean old) {
            this.descriptor = descriptor;
            this.paths = new Paths(descriptor, old);
        }

        void filter(DescriptorElement element) throws DeploymentException {
            String name = element.required("filter-name");
            if (!declared.add(name)) {
                throw element.error("duplicate filter \"" + name + "\"; a filter's name must be unique");
            }
            FilterDeclaration filter = descriptor.filter(name);
            filter.className = element.childText("filter-class");
            filter.asyncSupported = ServletElements.flag(element, "async-supported");
            for (DescriptorElement parameter : element.children("init-param")) {
                ServletElements.parameter(parameter, filter.initParameters::putIfAbsent, descriptor);
            }
        }

        void mapping(DescriptorElement element) throws DeploymentException {
            String name = element.required("filter-name");
            Set<DispatcherType> dispatchers = dispatchers(element);
            if (!element.has("url-pattern") && !element.has("servlet-name")) {
                throw element.error("the mapping of filter \"" + name + "\" needs a <url-pattern> or a <servlet-name>");
            }
            for (DescriptorElement target : element.children()) {
                if (target.name().equals("url-pattern")) {
                    add(new FilterMappingModel(name, paths.filterPattern(target), null, dispatchers));
                } else if (target.name().equals("servlet-name")) {
                    add(new FilterMappingModel(name, null, target.text(), dispatchers));
                }
            }
        }

        private void add(FilterMappingModel mapping) {
            descriptor.filterMappings.add(mapping);
        }

        private static Set<DispatcherType> dispatchers(DescriptorElement element) throws DeploymentException {
            Set<DispatcherType> dispatchers = EnumSet.noneOf(DispatcherType.class);
            for (DescriptorElement dispatcher : element.children("dispatcher")) {
                try {
                    dispatchers.add(DispatcherType.valueOf(dispatcher.text().toUpperCase(Locale.ROOT)));
                } catch (IllegalArgumentException e) {
                    throw dispatcher.error("<dispatcher> must be REQUEST, FORWARD, INCLUDE, ASYNC or ERROR, not \""
                            + dispatcher.text() + "\"");
                }
            }
            return dispatchers.isEmpty() ? EnumSet.of(DispatcherType.REQUEST) : dispatchers;
        }
    }

    /** Reads security-constraint and login-config. */
    private static final class SecurityElements {

        private static final Set<String> METHODS =
                Set.of("BASIC", "DIGEST", "FORM", "CLIENT-CERT", "CLIENT_CERT", "SPNEGO", "NONE");

        private final Descriptor descriptor;
        private final Paths paths;

        /** @param old true for a 2.2 descriptor, whose paths may lack the leading slash */
        SecurityElements(Descriptor descriptor, boolean old) {
            this.descriptor = descriptor;
            this.paths = new Paths(descriptor, old);
        }

        void constraint(DescriptorElement element) throws DeploymentException {
            List<Resources> resources = new ArrayList<>();
            for (DescriptorElement collection : element.children("web-resource-collection")) {
                resources.add(resources(collection));
            }
            if (resources.isEmpty()) {
                throw element.error("<security-constraint> needs a <web-resource-collection>, or it protects nothing");
            }
            DescriptorElement authorized = element.child("auth-constraint");
            List<String> roles = authorized == null ? null : authorized.childTexts("role-name");
            descriptor.securityConstraints.add(
                    new SecurityConstraintModel(resources, roles, guarantee(element.child("user-data-constraint"))));
        }

        private Resources resources(DescriptorElement collection) throws DeploymentException {
            List<String> patterns = new ArrayList<>();
            for (DescriptorElement pattern : collection.children("url-pattern")) {
                patterns.add(paths.pattern(pattern));
            }
            if (patterns.isEmpty()) {
                throw collection.error("<web-resource-collection> needs a <url-pattern>, or it protects nothing");
            }
            List<String> methods = collection.childTexts("http-method");
            List<String> omitted = collection.childTexts("http-method-omission");
            if (!methods.isEmpty() && !omitted.isEmpty()) {
                throw collection.error("<http-method> and <http-method-omission> exclude each other");
            }
            return new Resources(patterns, methods, omitted);
        }

        private static boolean guarantee(@Nullable DescriptorElement element) throws DeploymentException {
            if (element == null) {
                return false;
            }
            String guarantee = element.required("transport-guarantee").toUpperCase(Locale.ROOT);
            return switch (guarantee) {
                case "NONE" -> false;
                case "INTEGRAL", "CONFIDENTIAL" -> true;
                default ->
                    throw element.error(
                            "<transport-guarantee> must be NONE, INTEGRAL or CONFIDENTIAL, not \"" + guarantee + "\"");
            };
        }

        void login(DescriptorElement element) throws DeploymentException {
            if (descriptor.loginConfig != null) {
                throw element.error("duplicate <login-config>; an application has one");
            }
            String method = element.childText("auth-method");
            String upper = method == null ? null : method.toUpperCase(Locale.ROOT);
            if (upper != null && !METHODS.contains(upper)) {
                throw element.error(
                        "<auth-method> must be BASIC, DIGEST, FORM, CLIENT-CERT or SPNEGO, not \"" + method + "\"");
            }
            DescriptorElement form = element.child("form-login-config");
            if (form == null && "FORM".equals(upper)) {
                throw element.error("<auth-method> FORM needs a <form-login-config> with the login and error pages");
            }
            descriptor.loginConfig = new LoginConfigModel(
                    "CLIENT_CERT".equals(upper) ? "CLIENT-CERT" : upper,
                    element.childText("realm-name"),
                    form == null ? null : page(form, "form-login-page"),
                    form == null ? null : page(form, "form-error-page"));
        }

        private String page(DescriptorElement form, String name) throws DeploymentException {
            form.required(name);
            return paths.path(form.children(name).get(0));
        }
    }

    /** Reads the smaller settings: parameters, sessions, welcome files, error pages, types and encodings. */
    private static final class SettingElements {

        private final Descriptor descriptor;
        private final Paths paths;

        /** @param old true for a 2.2 descriptor, whose paths may lack the leading slash */
        SettingElements(Descriptor descriptor, boolean old) {
            this.descriptor = descriptor;
            this.paths = new Paths(descriptor, old);
        }

        void contextParameter(DescriptorElement element) {
            ServletElements.parameter(element, descriptor.contextParameters::put, descriptor);
        }

        void session(DescriptorElement element) throws DeploymentException {
            SessionDeclaration session = descriptor.session;
            DescriptorElement timeout = element.child("session-timeout");
            if (timeout != null) {
                session.timeoutMinutes = timeout.integer();
            }
            DescriptorElement cookie = element.child("cookie-config");
            if (cookie != null) {
                session.cookieName = cookie.childText("name");
                session.cookieDomain = cookie.childText("domain");
                session.cookiePath = cookie.childText("path");
                session.cookieComment = cookie.childText("comment");
                session.cookieHttpOnly = ServletElements.flag(cookie, "http-only");
                session.cookieSecure = ServletElements.flag(cookie, "secure");
                DescriptorElement maxAge = cookie.child("max-age");
                session.cookieMaxAge = maxAge == null ? null : Integer.valueOf(maxAge.integer());
            }
            for (DescriptorElement mode : element.children("tracking-mode")) {
                try {
                    session.trackingModes.add(
                            SessionTrackingMode.valueOf(mode.text().toUpperCase(Locale.ROOT)));
                } catch (IllegalArgumentException e) {
                    throw mode.error("<tracking-mode> must be COOKIE, URL or SSL, not \"" + mode.text() + "\"");
                }
            }
        }

        void welcomeFiles(DescriptorElement element) {
            for (String file : element.childTexts("welcome-file")) {
                String relative = file.startsWith("/") ? file.substring(1) : file;
                if (!relative.isEmpty()) {
                    descriptor.welcomeFiles.add(relative);
                }
            }
        }

        void errorPage(DescriptorElement element) throws DeploymentException {
            element.required("location");
            String location = paths.path(element.children("location").get(0));
            DescriptorElement code = element.child("error-code");
            String exception = element.childText("exception-type");
            if (code != null && exception != null) {
                descriptor.notes.add(element.where()
                        + ": the <error-page> has an <error-code> and an <exception-type>; it is used for \""
                        + exception
                        + "\" only, as in Tomcat");
                code = null;
            }
            int status = code == null ? 0 : code.integer();
            String key = code != null ? code.text() : exception != null ? exception : "";
            descriptor.errorPages.put(key, new ErrorPageModel(status, exception, location));
        }

        void mimeType(DescriptorElement element) throws DeploymentException {
            String extension = element.required("extension").toLowerCase(Locale.ROOT);
            descriptor.mimeTypes.put(
                    extension.startsWith(".") ? extension.substring(1) : extension, element.required("mime-type"));
        }

        void localeEncodings(DescriptorElement element) throws DeploymentException {
            for (DescriptorElement mapping : element.children("locale-encoding-mapping")) {
                descriptor.localeEncodings.put(mapping.required("locale"), mapping.required("encoding"));
            }
        }
    }
}
