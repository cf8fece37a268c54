package io.millrace.servlet.webdav;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Properties whose values the server knows (RFC 4918, 15); named like the elements. */
enum LiveProperty {
    CREATIONDATE,
    /** May be set; until then it is the file's name. */
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

    /** Null: what has this name is a dead property. */
    static @Nullable LiveProperty of(PropertyName name) {
        for (LiveProperty each : values()) {
            if (each.property().equals(name)) {
                return each;
            }
        }
        return null;
    }
}
