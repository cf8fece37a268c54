package io.millrace.handler;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The forms an error response can have. The texts are the server's own and need no escaping. */
enum ErrorForm {
    TEXT("text/plain;charset=utf-8") {
        @Override
        String render(int status, String explanation) {
            return status + " " + explanation + "\n";
        }
    },
    HTML("text/html;charset=utf-8") {
        @Override
        String render(int status, String explanation) {
            return "<!DOCTYPE html>\n<html lang=\"en\"><head><title>" + status + "</title></head><body><h1>" + status
                    + "</h1><p>" + explanation + "</p></body></html>\n";
        }
    },
    JSON("application/json") {
        @Override
        String render(int status, String explanation) {
            return "{\"status\":" + status + ",\"message\":\"" + explanation + "\"}\n";
        }
    };

    private final String contentType;

    ErrorForm(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    abstract String render(int status, String explanation);

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
