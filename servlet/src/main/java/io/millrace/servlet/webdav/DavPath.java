package io.millrace.servlet.webdav;

/** Paths of resources, relative to the application: decoded, without trailing slash; empty for the root. */
final class DavPath {

    private DavPath() {}

    static String of(String decoded) {
        return decoded.endsWith("/") ? decoded.substring(0, decoded.length() - 1) : decoded;
    }

    /** The collection of a resource; the root's is itself. */
    static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    static boolean isRoot(String path) {
        return path.isEmpty();
    }

    /** Also true if the paths are equal. */
    static boolean isWithin(String path, String ancestor) {
        return path.startsWith(ancestor)
                && (path.length() == ancestor.length() || path.charAt(ancestor.length()) == '/');
    }
}
