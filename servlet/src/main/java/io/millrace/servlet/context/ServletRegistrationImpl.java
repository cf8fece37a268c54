package io.millrace.servlet.context;

import io.millrace.servlet.app.UrlMapper;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.model.UrlPattern;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.servlet.MultipartConfigElement;
import javax.servlet.ServletRegistration;
import javax.servlet.ServletSecurityElement;
import org.jspecify.annotations.Nullable;

/** The registration of a servlet, which can be changed while the application starts. */
final class ServletRegistrationImpl extends RegistrationImpl implements ServletRegistration.Dynamic {

    private final ServletModel model;
    private final Registrations all;

    ServletRegistrationImpl(ServletModel model, @Nullable String className, Registrations all, Phase phase) {
        super(model.name, className, model.initParameters, phase);
        this.model = model;
        this.all = all;
    }

    @Override
    public Set<String> addMapping(String... patterns) {
        phase.requireConfigurable();
        if (patterns == null || patterns.length == 0) {
            throw new IllegalArgumentException("no URL patterns for servlet " + model.name);
        }
        List<String> decoded = new ArrayList<>();
        Set<String> taken = new LinkedHashSet<>();
        for (String written : patterns) {
            String pattern = decoded(written);
            decoded.add(pattern);
            if (!UrlMapper.isValid(pattern)) {
                throw new IllegalArgumentException("\"" + written + "\" is not a URL pattern: expected /path, /path/*, "
                        + "*.extension, / or the empty string");
            }
            ServletModel owner = all.ownerOf(pattern);
            if (owner != null && !owner.equals(model)) {
                taken.add(pattern);
            }
        }
        if (taken.isEmpty()) {
            for (String pattern : decoded) {
                all.map(pattern, model);
            }
        }
        return taken;
    }

    private static String decoded(String written) {
        try {
            return UrlPattern.decoded(written);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + written + "\" is not a URL pattern: " + e.getMessage(), e);
        }
    }

    @Override
    public List<String> getMappings() {
        return List.copyOf(model.mappings);
    }

    @Override
    public @Nullable String getRunAsRole() {
        return model.runAs;
    }

    @Override
    public void setRunAsRole(String role) {
        phase.requireConfigurable();
        model.runAs = role;
    }

    @Override
    public void setLoadOnStartup(int order) {
        phase.requireConfigurable();
        model.loadOnStartup = order;
    }

    @Override
    public void setAsyncSupported(boolean supported) {
        phase.requireConfigurable();
        model.asyncSupported = supported;
    }

    @Override
    public void setMultipartConfig(MultipartConfigElement element) {
        phase.requireConfigurable();
        model.multipart = new MultipartModel(
                element.getLocation(),
                element.getMaxFileSize(),
                element.getMaxRequestSize(),
                element.getFileSizeThreshold());
    }

    @Override
    public Set<String> setServletSecurity(ServletSecurityElement element) {
        phase.requireConfigurable();
        return all.constrain(model, element);
    }
}
