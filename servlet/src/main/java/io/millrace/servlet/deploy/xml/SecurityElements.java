package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads security-constraint and login-config. */
final class SecurityElements {

    private static final Set<String> METHODS =
            Set.of("BASIC", "DIGEST", "FORM", "CLIENT-CERT", "CLIENT_CERT", "SPNEGO", "NONE");

    private final Descriptor descriptor;
    private final Paths paths;

    /** @param old true for a 2.2 descriptor, whose paths may lack the leading slash */
    SecurityElements(Descriptor descriptor, boolean old) {
        this.descriptor = descriptor;
        this.paths = new Paths(descriptor, old);
    }

    void constraint(XmlElement element) throws DeploymentException {
        List<Resources> resources = new ArrayList<>();
        for (XmlElement collection : element.children("web-resource-collection")) {
            resources.add(resources(collection));
        }
        if (resources.isEmpty()) {
            throw element.error("<security-constraint> needs a <web-resource-collection>, or it protects nothing");
        }
        XmlElement authorized = element.child("auth-constraint");
        List<String> roles = authorized == null ? null : authorized.childTexts("role-name");
        descriptor.securityConstraints.add(
                new SecurityConstraintModel(resources, roles, guarantee(element.child("user-data-constraint"))));
    }

    private Resources resources(XmlElement collection) throws DeploymentException {
        List<String> patterns = new ArrayList<>();
        for (XmlElement pattern : collection.children("url-pattern")) {
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

    private static boolean guarantee(@Nullable XmlElement element) throws DeploymentException {
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

    void login(XmlElement element) throws DeploymentException {
        if (descriptor.loginConfig != null) {
            throw element.error("duplicate <login-config>; an application has one");
        }
        String method = element.childText("auth-method");
        String upper = method == null ? null : method.toUpperCase(Locale.ROOT);
        if (upper != null && !METHODS.contains(upper)) {
            throw element.error(
                    "<auth-method> must be BASIC, DIGEST, FORM, CLIENT-CERT or SPNEGO, not \"" + method + "\"");
        }
        XmlElement form = element.child("form-login-config");
        if (form == null && "FORM".equals(upper)) {
            throw element.error("<auth-method> FORM needs a <form-login-config> with the login and error pages");
        }
        descriptor.loginConfig = new LoginConfigModel(
                "CLIENT_CERT".equals(upper) ? "CLIENT-CERT" : upper,
                element.childText("realm-name"),
                form == null ? null : page(form, "form-login-page"),
                form == null ? null : page(form, "form-error-page"));
    }

    private String page(XmlElement form, String name) throws DeploymentException {
        form.required(name);
        return paths.path(form.children(name).get(0));
    }
}
