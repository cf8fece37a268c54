package io.millrace.client;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;

/** Learns how a request is answered. Called on the connection's thread, or inside a call of the stream; must not block. */
public interface ResponseListener {

    /** The request's head was sent: its body may follow. Not called where that failed. */
    void onHeadSent(ClientStream stream);

    /** An interim response (RFC 9110, 15.2), before the final one. Any number of times. */
    void onInform(int status, Headers fields);

    /**
     * The final response begins, once; its body follows by {@link ClientStream#read}. With status 101 the stream is a tunnel
     * now: bytes are passed on unchanged.
     *
     * @param stream the same that {@link ClientSession#start} returns, perhaps later than this is called
     * @param head with the body's length, if that is known; its fields are those of the response, without Content-Length and
     *     Transfer-Encoding
     */
    void onHead(ClientStream stream, ResponseHead head);

    /** There is no final response, and there will be none. Once, instead of {@link #onHead}. */
    void onFailed(ClientException failure);
}
