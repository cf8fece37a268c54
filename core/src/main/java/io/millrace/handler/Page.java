package io.millrace.handler;

import io.millrace.http.Headers;

/**
 * An HTML document of the server itself: an error, a directory, the applications of a host. It is self-contained,
 * follows the browser's light or dark mode, and is readable without its style, which an application's {@code
 * Content-Security-Policy} may forbid.
 */
public final class Page {

    /** The value of {@code Content-Type}; the encoding is UTF-8. */
    public static final String CONTENT_TYPE = "text/html;charset=utf-8";

    /** The name of the header field for {@link #SECURITY_POLICY}. */
    public static final String POLICY_FIELD = "Content-Security-Policy";

    /**
     * Allows the style by its hash and images of the same origin, nothing else: injected markup could run no script and
     * load nothing from other hosts.
     */
    public static final String SECURITY_POLICY =
            "default-src 'none'; style-src 'sha256-u7szWr2GwOiOgbvSVr4j3/XP1Q6R9fBLixnzF+tqVsA='; img-src 'self'; base-uri 'none'; form-action 'none'";

    /** Colours have a contrast of at least 4.5:1, text 7:1 (WCAG 2.1, 1.4.3 and 1.4.6). */
    private static final String STYLE = """
            :root{color-scheme:light dark;--ground:#fbfbfa;--text:#1f2429;--soft:#57606a;--line:#d9dcdf;--link:#0b57b8}
            @media(prefers-color-scheme:dark){:root{--ground:#15181b;--text:#e4e7ea;--soft:#9ba4ae;--line:#343a41;\
            --link:#82b4f8}}
            *{box-sizing:border-box}
            body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",\
            Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif}
            main{max-width:56rem;margin:0 auto;padding:clamp(2rem,10vh,6rem) 1.5rem 3rem}
            h1{font-size:1.75rem;font-weight:600;line-height:1.3;margin:0 0 1rem;overflow-wrap:anywhere}
            h1 span{font-weight:400;color:var(--soft);margin-right:.35em}
            p{max-width:40rem;margin:0 0 1rem;overflow-wrap:anywhere}
            .soft,footer{color:var(--soft);font-size:.875rem}
            code{font:1em ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;color:var(--text)}
            a{color:var(--link);text-decoration:none}
            a:hover,a:focus{text-decoration:underline}
            table{border-collapse:collapse;width:100%}
            th,td{padding:.4rem 2rem .4rem 0;border-bottom:1px solid var(--line);text-align:left;font-weight:400;\
            vertical-align:top}
            th{color:var(--soft);font-size:.875rem}
            th:last-child,td:last-child{padding-right:0}
            td:first-child{overflow-wrap:anywhere}
            .number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
            .time{white-space:nowrap;color:var(--soft)}
            pre{overflow-x:auto;font-size:.8125rem}
            footer{margin-top:2rem}
            @media(max-width:40rem){th,td{padding-right:1rem}td:first-child{min-width:8rem}.time{white-space:normal}}
            """;

    private final StringBuilder text = new StringBuilder(4096);

    private Page() {}

    /** Starts a page with this title, which is escaped. What is added next is the content of its {@code main} element. */
    public static Page titled(String title) {
        Page page = new Page();
        page.text
                .append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(escaped(title))
                .append("</title>\n<style>")
                .append(STYLE)
                .append("</style></head>\n<body><main>\n");
        return page;
    }

    /** Adds markup without escaping it. */
    public Page markup(String html) {
        text.append(html);
        return this;
    }

    /** Adds text, which is escaped for use in content and in quoted attribute values. */
    public Page text(String plain) {
        text.append(escaped(plain));
        return this;
    }

    /** Completes the document and returns it. */
    public String end() {
        return text.append("</main></body></html>\n").toString();
    }

    /** Adds the security policy to a response with such a page, unless it already has one. */
    public static void protect(Headers headers) {
        if (!headers.contains(POLICY_FIELD)) {
            headers.add(POLICY_FIELD, SECURITY_POLICY);
        }
    }

    /** For the content of elements and for quoted attributes, of HTML and of XML. */
    public static String escaped(String plain) {
        return plain.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
