package io.millrace.servlet.webdav;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Live properties, whose values the server computes (RFC 4918, 15); named like the elements. */
enum LiveProperty {
    CREATIONDATE,
    /** May be set; the default is the file name. */
    DISPLAYNAME,
    GETCONTENTLENGTH,
    GETCONTENTTYPE,
    GETETAG,
    GETLASTMODIFIED,
    LOCKDISCOVERY,
    RESOURCETYPE,
    SUPPORTEDLOCK;

    PropertyName property() {
        return new PropertyName(PropertyName.DAV, name().toLowerCase(Locale.ROOT));
    }

    boolean isProtected() {
        return this != DISPLAYNAME;
    }

    /** The live property of a name; null for dead properties. */
    static @Nullable LiveProperty of(PropertyName name) {
        for (LiveProperty each : values()) {
            if (each.property().equals(name)) {
                return each;
            }
        }
        return null;
    }
}
