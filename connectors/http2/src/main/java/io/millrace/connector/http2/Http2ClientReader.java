package io.millrace.connector.http2;

import io.millrace.http.ResponseHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FrameSink;

/** Reads the frames of a server, which begin with SETTINGS, without a preface (RFC 9113, 3.4). */
final class Http2ClientReader extends Http2Reader {

    private final Http2Rules rules;

    Http2ClientReader(Http2Rules rules, ConnectionInfo info) {
        super(rules, info, ReaderState.HEAD);
        this.rules = rules;
    }

    @Override
    void response(HeaderBlock whole, FrameSink sink) throws ConnectionFault {
        ResponseFields fields = new ResponseFields(rules.options());
        decode(whole, rules.maxListSize(), fields);
        String wrong = fields.assembly().check(whole.isEnd());
        if (wrong != null) {
            sink.fault(whole.id(), Fault.PROTOCOL, wrong);
            return;
        }
        ResponseHead head = fields.assembly().head();
        if (head.status() < 200) {
            sink.interim(whole.id(), head.status(), head.headers());
        } else {
            sink.response(whole.id(), head, whole.isEnd());
        }
    }

    /** Not logged: the failure is reported to the sender of the request. */
    @Override
    void note(RequestError error) {}
}
