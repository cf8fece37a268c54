package io.millrace.servlet.deploy.scan;

import java.util.ArrayList;
import java.util.List;
import javax.servlet.HttpConstraintElement;
import javax.servlet.HttpMethodConstraintElement;
import javax.servlet.ServletSecurityElement;
import javax.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import javax.servlet.annotation.ServletSecurity.TransportGuarantee;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationValue;
import org.jboss.jandex.DotName;

/** Reads ServletSecurity (Servlet 3.1, 13.4.1) from an index. */
final class SecurityAnnotation {

    static final DotName NAME = DotName.createSimple("javax.servlet.annotation.ServletSecurity");

    private SecurityAnnotation() {}

    static ServletSecurityElement read(AnnotationInstance annotation) {
        AnnotationValue value = annotation.value();
        HttpConstraintElement all = value == null ? new HttpConstraintElement() : constraint(value.asNested(), "value");
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
