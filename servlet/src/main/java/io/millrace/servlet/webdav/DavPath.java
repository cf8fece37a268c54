package io.millrace.servlet.webdav;

/** Paths of resources below the application: decoded, without a final slash, the root empty. */
final class DavPath {

    private DavPath() {}

    static String of(String decoded) {
        return decoded.endsWith("/") ? decoded.substring(0, decoded.length() - 1) : decoded;
    }

    /** The collection that a resource is in; the root has none. */
    static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    static boolean isRoot(String path) {
        return path.isEmpty();
    }

    /** Also true of a resource and itself. */
    static boolean isWithin(String path, String ancestor) {
        return path.startsWith(ancestor)
                && (path.length() == ancestor.length() || path.charAt(ancestor.length()) == '/');
    }
}
