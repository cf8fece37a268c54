package io.millrace.servlet.files;

import io.millrace.http.Headers;
import java.util.Enumeration;
import java.util.List;
import javax.servlet.http.HttpServletRequest;

/** The request fields that are relevant to files, from the application's request, as filters may have changed them. */
final class FileRequestHeaders {

    private static final List<String> NAMES = List.of(
            "Accept-Encoding",
            "If-Match",
            "If-None-Match",
            "If-Modified-Since",
            "If-Unmodified-Since",
            "If-Range",
            "Range");

    private FileRequestHeaders() {}

    static Headers of(HttpServletRequest request) {
        Headers headers = new Headers();
        for (String name : NAMES) {
            Enumeration<String> values = request.getHeaders(name);
            while (values != null && values.hasMoreElements()) {
                headers.add(name, values.nextElement());
            }
        }
        return headers;
    }
}
