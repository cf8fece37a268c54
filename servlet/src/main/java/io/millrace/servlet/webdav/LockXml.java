package io.millrace.servlet.webdav;

import org.jspecify.annotations.Nullable;

/** Serializes locks for responses. */
final class LockXml {

    /** The property supportedlock (RFC 4918, 15.10). */
    static final String SUPPORTED =
            "<D:lockentry><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>"
                    + "<D:lockentry><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>";

    private LockXml() {}

    /** An activelock element (RFC 4918, 14.1). Only users who may use the token see it. */
    static String active(DavLock lock, String root, long secondsLeft, @Nullable String reader) {
        String token = lock.isOf(reader) ? "<D:locktoken>" + MultiStatus.href(lock.token()) + "</D:locktoken>" : "";
        return "<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope>"
                + (lock.exclusive() ? "<D:exclusive/>" : "<D:shared/>")
                + "</D:lockscope><D:depth>"
                + (lock.deep() ? "infinity" : "0")
                + "</D:depth>"
                + lock.owner()
                + "<D:timeout>Second-"
                + secondsLeft
                + "</D:timeout>"
                + token
                + "<D:lockroot>"
                + MultiStatus.href(root)
                + "</D:lockroot></D:activelock>";
    }
}
