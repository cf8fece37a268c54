package io.millrace.servlet.context;

import io.millrace.servlet.model.JspPropertyGroupModel;
import io.millrace.servlet.model.WebAppModel;
import java.util.Collection;
import java.util.List;
import javax.servlet.descriptor.JspConfigDescriptor;
import javax.servlet.descriptor.JspPropertyGroupDescriptor;
import javax.servlet.descriptor.TaglibDescriptor;
import org.jspecify.annotations.Nullable;

/** The jsp-config of the descriptors (Servlet 3.1, 4.4.4), as JSP engines read it. */
record JspConfig(Collection<TaglibDescriptor> taglibs, Collection<JspPropertyGroupDescriptor> groups)
        implements JspConfigDescriptor {

    /** The configuration; null if the descriptors have none. */
    static @Nullable JspConfig of(WebAppModel model) {
        if (model.taglibs.isEmpty() && model.jspPropertyGroups.isEmpty()) {
            return null;
        }
        List<TaglibDescriptor> taglibs = model.taglibs.entrySet().stream()
                .<TaglibDescriptor>map(entry -> new Taglib(entry.getKey(), entry.getValue()))
                .toList();
        List<JspPropertyGroupDescriptor> groups = model.jspPropertyGroups.stream()
                .<JspPropertyGroupDescriptor>map(Group::new)
                .toList();
        return new JspConfig(taglibs, groups);
    }

    @Override
    public Collection<TaglibDescriptor> getTaglibs() {
        return taglibs;
    }

    @Override
    public Collection<JspPropertyGroupDescriptor> getJspPropertyGroups() {
        return groups;
    }

    /** One taglib element. */
    private record Taglib(String uri, String location) implements TaglibDescriptor {

        @Override
        public String getTaglibURI() {
            return uri;
        }

        @Override
        public String getTaglibLocation() {
            return location;
        }
    }

    /** One jsp-property-group. Missing properties are null. */
    private record Group(JspPropertyGroupModel model) implements JspPropertyGroupDescriptor {

        private @Nullable String property(String name) {
            return model.properties().get(name);
        }

        @Override
        public Collection<String> getUrlPatterns() {
            return model.urlPatterns();
        }

        @Override
        public @Nullable String getElIgnored() {
            return property("el-ignored");
        }

        @Override
        public @Nullable String getPageEncoding() {
            return property("page-encoding");
        }

        @Override
        public @Nullable String getScriptingInvalid() {
            return property("scripting-invalid");
        }

        @Override
        public @Nullable String getIsXml() {
            return property("is-xml");
        }

        @Override
        public Collection<String> getIncludePreludes() {
            return model.includePreludes();
        }

        @Override
        public Collection<String> getIncludeCodas() {
            return model.includeCodas();
        }

        @Override
        public @Nullable String getDeferredSyntaxAllowedAsLiteral() {
            return property("deferred-syntax-allowed-as-literal");
        }

        @Override
        public @Nullable String getTrimDirectiveWhitespaces() {
            return property("trim-directive-whitespaces");
        }

        @Override
        public @Nullable String getDefaultContentType() {
            return property("default-content-type");
        }

        @Override
        public @Nullable String getBuffer() {
            return property("buffer");
        }

        @Override
        public @Nullable String getErrorOnUndeclaredNamespace() {
            return property("error-on-undeclared-namespace");
        }
    }
}
