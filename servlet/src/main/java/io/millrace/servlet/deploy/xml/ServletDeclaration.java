package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.model.ServletModel;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The declaration of a servlet by one source (a descriptor or annotations). Null: not declared. */
public final class ServletDeclaration {

    public final String name;

    public @Nullable String className;

    public @Nullable String jspFile;

    public @Nullable Integer loadOnStartup;

    public @Nullable Boolean asyncSupported;

    @Nullable
    Boolean enabled;

    @Nullable
    String runAs;

    @Nullable
    MultipartModel multipart;

    public final Map<String, String> initParameters = new LinkedHashMap<>();
    final Map<String, String> roleReferences = new LinkedHashMap<>();

    ServletDeclaration(String name) {
        this.name = name;
    }

    /** Adds what only the weaker source declares. */
    void complete(ServletDeclaration weaker) {
        if (className == null && jspFile == null) {
            className = weaker.className;
            jspFile = weaker.jspFile;
        }
        loadOnStartup = Overlay.first(loadOnStartup, weaker.loadOnStartup);
        asyncSupported = Overlay.first(asyncSupported, weaker.asyncSupported);
        enabled = Overlay.first(enabled, weaker.enabled);
        runAs = Overlay.first(runAs, weaker.runAs);
        multipart = Overlay.first(multipart, weaker.multipart);
        weaker.initParameters.forEach(initParameters::putIfAbsent);
        weaker.roleReferences.forEach(roleReferences::putIfAbsent);
    }

    /** What conflicts with a source of the same precedence, for a message; null if nothing does. */
    @Nullable
    String conflict(ServletDeclaration equal) {
        if (Overlay.differ(className, equal.className) || Overlay.differ(jspFile, equal.jspFile)) {
            return "servlet-class";
        }
        if (Overlay.differ(loadOnStartup, equal.loadOnStartup)) {
            return "load-on-startup";
        }
        if (Overlay.differ(asyncSupported, equal.asyncSupported)) {
            return "async-supported";
        }
        if (Overlay.differ(runAs, equal.runAs)) {
            return "run-as";
        }
        if (Overlay.differ(multipart, equal.multipart)) {
            return "multipart-config";
        }
        String parameter = Overlay.conflictingKey(initParameters, equal.initParameters);
        return parameter == null ? null : "init-param \"" + parameter + "\"";
    }

    public void fill(ServletModel model) {
        model.className = className;
        model.jspFile = jspFile;
        model.initParameters.putAll(initParameters);
        model.loadOnStartup = loadOnStartup == null ? -1 : loadOnStartup;
        model.asyncSupported = Boolean.TRUE.equals(asyncSupported);
        model.enabled = !Boolean.FALSE.equals(enabled);
        model.runAs = runAs;
        model.multipart = multipart;
        model.roleReferences.putAll(roleReferences);
    }
}
