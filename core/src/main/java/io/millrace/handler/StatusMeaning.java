package io.millrace.handler;

import io.millrace.http.Status;

/** The meaning of a status, for human readers. */
final class StatusMeaning {

    private StatusMeaning() {}

    /** The reason phrase, or a general term if the status has none. */
    static String title(int status) {
        String reason = Status.reason(status);
        if (!reason.isEmpty()) {
            return reason;
        }
        return status < 400 ? "Status" : status < 500 ? "Request Error" : "Server Error";
    }

    /** In a sentence. */
    static String sentence(int status) {
        return switch (status) {
            case 400 -> "The server could not understand this request.";
            case 401 -> "This needs authentication.";
            case 403 -> "Access to this is not allowed.";
            case 404 -> "There is nothing here.";
            case 405 -> "This does not support the method of the request.";
            case 408 -> "The request took too long to arrive.";
            case 413 -> "The body of the request is too large.";
            case 414 -> "The address of the request is too long.";
            case 417 -> "The expectation of the request can't be met.";
            case 431 -> "The header of the request is too large.";
            case 500 -> "The server failed to answer this request.";
            case 501 -> "The server does not support what the request asks for.";
            case 502 -> "The server behind this one gave no valid answer.";
            case 503 -> "The server can't answer right now. Please try again later.";
            case 504 -> "The server behind this one gave no answer in time.";
            case 505 -> "The server does not support this version of HTTP.";
            default -> status < 500 ? "The request can't be served." : "The server failed to answer this request.";
        };
    }
}
