package io.millrace.handler;

/** How a line tells what others wrote from its own quotes, so that nothing of theirs can end a field or a line. */
enum LineEscape {
    /** As Tomcat's and httpd's access logs: quotes and backslashes behind a backslash. */
    TEXT,
    /** As the W3C's extended log file format: what has spaces or quotes in it is quoted, and inner quotes are doubled. */
    EXTENDED,
    /** Inside of a JSON string (RFC 8259, 7). */
    JSON
}
