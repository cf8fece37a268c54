package io.millrace.handler;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The forms an error response can have. Messages may be anybody's: all are escaped. */
enum ErrorForm {
    TEXT("text/plain;charset=utf-8") {
        @Override
        String render(int status, String message, @Nullable String reference) {
            return status + " " + message + "\n" + (reference == null ? "" : "Reference: " + reference + "\n");
        }
    },
    HTML(Page.CONTENT_TYPE) {
        @Override
        String render(int status, String message, @Nullable String reference) {
            String meaning = StatusMeaning.title(status);
            Page page = Page.titled(status + " " + meaning)
                    .markup("<h1><span>" + status + "</span> ")
                    .text(meaning)
                    .markup("</h1>\n<p>")
                    .text(message)
                    .markup("</p>\n");
            if (reference != null) {
                page.markup("<p class=\"soft\">If you report this, please quote the reference <code>")
                        .text(reference)
                        .markup("</code>.</p>\n");
            }
            return page.end();
        }
    },
    JSON("application/json") {
        @Override
        String render(int status, String message, @Nullable String reference) {
            return "{\"status\":" + status + ",\"message\":" + Json.quote(message)
                    + (reference == null ? "" : ",\"reference\":\"" + reference + "\"") + "}\n";
        }
    };

    private final String contentType;

    ErrorForm(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    abstract String render(int status, String message, @Nullable String reference);

    /**
     * What an Accept field prefers. Its qualities are not weighed: who names JSON before HTML is a program, who names HTML
     * is a browser, and anyone else can read text.
     */
    static ErrorForm preferred(@Nullable String accept) {
        if (accept == null) {
            return TEXT;
        }
        String types = accept.toLowerCase(Locale.ROOT);
        int html = types.indexOf("text/html");
        int json = types.indexOf("json");
        if (json >= 0 && (html < 0 || json < html)) {
            return JSON;
        }
        return html >= 0 ? HTML : TEXT;
    }
}
