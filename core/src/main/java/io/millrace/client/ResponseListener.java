package io.millrace.client;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;

/** Receives the response to a request. Called on the connection's thread, or inside a call of the stream; must not block. */
public interface ResponseListener {

    /**
     * The request's head has been sent: the body may follow. Not called if sending failed. The thread that has sent it may
     * be slower than the one that reads: this may be called after {@link #onHead} or {@link #onFailed}.
     */
    void onHeadSent(ClientStream stream);

    /** An interim response (RFC 9110, 15.2), before the final one; called for each. */
    void onInform(int status, Headers fields);

    /**
     * The head of the final response. Called once; the body is read by {@link ClientStream#read}. With status 101 the
     * stream is a tunnel from now on, whose bytes are passed unchanged.
     *
     * @param stream the stream that {@link ClientSession#start} returns, possibly after this call
     * @param head with the body's length, if known. Its fields are those of the response, without Content-Length and
     *     Transfer-Encoding
     */
    void onHead(ClientStream stream, ResponseHead head);

    /** There will be no final response. Called once, instead of {@link #onHead}. */
    void onFailed(ClientException failure);
}
