package io.millrace.servlet.deploy.scan;

import io.millrace.servlet.deploy.loader.ContainerClasses;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.model.ServletSecurityConstraints;
import io.millrace.servlet.model.WebAppModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.servlet.HttpConstraintElement;
import javax.servlet.HttpMethodConstraintElement;
import javax.servlet.ServletSecurityElement;
import javax.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import javax.servlet.annotation.ServletSecurity.TransportGuarantee;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jspecify.annotations.Nullable;

/**
 * Applies the annotations that are valid for all servlets, however declared: MultipartConfig, ServletSecurity, RunAs and
 * DeclareRoles. Reads them from the servlets' class files, after the merge.
 */
public final class ServletClassAnnotations {

    private static final DotName RUN_AS = DotName.createSimple("javax.annotation.security.RunAs");
    private static final DotName ROLES = DotName.createSimple("javax.annotation.security.DeclareRoles");

    /** Bounds the search; servlets have fewer superclasses. */
    private static final int MAX_SUPERCLASSES = 32;

    private final WebAppModel model;
    private final ClassFiles classes;
    /** The patterns of the descriptors' constraints, which take precedence over annotations. */
    private final Set<String> decided = new HashSet<>();

    private ServletClassAnnotations(WebAppModel model, ClassFiles classes) {
        this.model = model;
        this.classes = classes;
        for (SecurityConstraintModel constraint : model.securityConstraints) {
            for (Resources resources : constraint.resources()) {
                decided.addAll(resources.urlPatterns());
            }
        }
    }

    public static void apply(WebAppModel model, ClassFiles classes) throws IOException {
        ServletClassAnnotations annotations = new ServletClassAnnotations(model, classes);
        for (ServletModel servlet : model.servlets.values()) {
            ClassInfo type = servlet.className == null ? null : classes.info(servlet.className);
            if (type != null) {
                annotations.apply(servlet, type);
            }
        }
    }

    private void apply(ServletModel servlet, ClassInfo type) throws IOException {
        AnnotationInstance multipart = type.declaredAnnotation(WebAnnotations.MULTIPART);
        if (multipart != null && servlet.multipart == null) {
            servlet.multipart = WebAnnotations.multipart(multipart);
        }
        if (model.metadataComplete) {
            return;
        }
        AnnotationInstance security = inherited(type, SecurityAnnotation.NAME);
        if (security != null) {
            List<String> open = servlet.mappings.stream()
                    .filter(pattern -> !decided.contains(pattern))
                    .toList();
            model.securityConstraints.addAll(ServletSecurityConstraints.of(SecurityAnnotation.read(security), open));
        }
        AnnotationValue runAs = value(type, RUN_AS);
        if (runAs != null && servlet.runAs == null) {
            servlet.runAs = runAs.asString();
        }
        AnnotationValue roles = value(type, ROLES);
        if (roles != null) {
            for (String role : roles.asStringArray()) {
                if (!model.securityRoles.contains(role)) {
                    model.securityRoles.add(role);
                }
            }
        }
    }

    private static @Nullable AnnotationValue value(ClassInfo type, DotName name) {
        AnnotationInstance annotation = type.declaredAnnotation(name);
        return annotation == null ? null : annotation.value();
    }

    /** The annotation of the class, or of its nearest superclass that has it. */
    private @Nullable AnnotationInstance inherited(ClassInfo type, DotName name) throws IOException {
        ClassInfo current = type;
        for (int depth = 0; current != null && depth < MAX_SUPERCLASSES; depth++) {
            AnnotationInstance found = current.declaredAnnotation(name);
            if (found != null) {
                return found;
            }
            DotName parent = current.superName();
            String parentName = parent == null ? "" : parent.toString();
            boolean above =
                    parentName.isEmpty() || ContainerClasses.isJdk(parentName) || ContainerClasses.isApi(parentName);
            current = above ? null : classes.info(parentName);
        }
        return null;
    }

    /** Reads ServletSecurity (Servlet 3.1, 13.4.1) from an index. */
    private static final class SecurityAnnotation {

        static final DotName NAME = DotName.createSimple("javax.servlet.annotation.ServletSecurity");

        private SecurityAnnotation() {}

        static ServletSecurityElement read(AnnotationInstance annotation) {
            AnnotationValue value = annotation.value();
            HttpConstraintElement all =
                    value == null ? new HttpConstraintElement() : constraint(value.asNested(), "value");
            List<HttpMethodConstraintElement> methods = new ArrayList<>();
            AnnotationValue named = annotation.value("httpMethodConstraints");
            if (named != null) {
                for (AnnotationInstance method : named.asNestedArray()) {
                    AnnotationValue name = method.value();
                    methods.add(new HttpMethodConstraintElement(
                            name == null ? "" : name.asString(), constraint(method, "emptyRoleSemantic")));
                }
            }
            return new ServletSecurityElement(all, methods);
        }

        /** @param semantic the attribute for the meaning of empty roles, whose name differs between the two annotations */
        private static HttpConstraintElement constraint(AnnotationInstance annotation, String semantic) {
            AnnotationValue empty = annotation.value(semantic);
            AnnotationValue transport = annotation.value("transportGuarantee");
            AnnotationValue roles = annotation.value("rolesAllowed");
            return new HttpConstraintElement(
                    empty == null ? EmptyRoleSemantic.PERMIT : EmptyRoleSemantic.valueOf(empty.asEnum()),
                    transport == null ? TransportGuarantee.NONE : TransportGuarantee.valueOf(transport.asEnum()),
                    roles == null ? new String[0] : roles.asStringArray());
        }
    }
}
