package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.ErrorPageModel;
import java.util.Locale;
import javax.servlet.SessionTrackingMode;

/** Reads the smaller settings: parameters, sessions, welcome files, error pages, types and encodings. */
final class SettingElements {

    private final Descriptor descriptor;
    private final Paths paths;

    /** @param old true for a 2.2 descriptor, whose paths may lack the leading slash */
    SettingElements(Descriptor descriptor, boolean old) {
        this.descriptor = descriptor;
        this.paths = new Paths(descriptor, old);
    }

    void contextParameter(XmlElement element) {
        ServletElements.parameter(element, descriptor.contextParameters::put, descriptor);
    }

    void session(XmlElement element) throws DeploymentException {
        SessionDeclaration session = descriptor.session;
        XmlElement timeout = element.child("session-timeout");
        if (timeout != null) {
            session.timeoutMinutes = timeout.integer();
        }
        XmlElement cookie = element.child("cookie-config");
        if (cookie != null) {
            session.cookieName = cookie.childText("name");
            session.cookieDomain = cookie.childText("domain");
            session.cookiePath = cookie.childText("path");
            session.cookieComment = cookie.childText("comment");
            session.cookieHttpOnly = ServletElements.flag(cookie, "http-only");
            session.cookieSecure = ServletElements.flag(cookie, "secure");
            XmlElement maxAge = cookie.child("max-age");
            session.cookieMaxAge = maxAge == null ? null : Integer.valueOf(maxAge.integer());
        }
        for (XmlElement mode : element.children("tracking-mode")) {
            try {
                session.trackingModes.add(
                        SessionTrackingMode.valueOf(mode.text().toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw mode.error("<tracking-mode> must be COOKIE, URL or SSL, not \"" + mode.text() + "\"");
            }
        }
    }

    void welcomeFiles(XmlElement element) {
        for (String file : element.childTexts("welcome-file")) {
            String relative = file.startsWith("/") ? file.substring(1) : file;
            if (!relative.isEmpty()) {
                descriptor.welcomeFiles.add(relative);
            }
        }
    }

    void errorPage(XmlElement element) throws DeploymentException {
        element.required("location");
        String location = paths.path(element.children("location").get(0));
        XmlElement code = element.child("error-code");
        String exception = element.childText("exception-type");
        if (code != null && exception != null) {
            descriptor.notes.add(element.where()
                    + ": the <error-page> has an <error-code> and an <exception-type>; it is used for \"" + exception
                    + "\" only, as in Tomcat");
            code = null;
        }
        int status = code == null ? 0 : code.integer();
        String key = code != null ? code.text() : exception != null ? exception : "";
        descriptor.errorPages.put(key, new ErrorPageModel(status, exception, location));
    }

    void mimeType(XmlElement element) throws DeploymentException {
        String extension = element.required("extension").toLowerCase(Locale.ROOT);
        descriptor.mimeTypes.put(
                extension.startsWith(".") ? extension.substring(1) : extension, element.required("mime-type"));
    }

    void localeEncodings(XmlElement element) throws DeploymentException {
        for (XmlElement mapping : element.children("locale-encoding-mapping")) {
            descriptor.localeEncodings.put(mapping.required("locale"), mapping.required("encoding"));
        }
    }
}
