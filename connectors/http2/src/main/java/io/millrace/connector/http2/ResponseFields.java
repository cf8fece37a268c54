package io.millrace.connector.http2;

import io.millrace.client.mux.ResponseAssembly;
import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.settings.Settings;

/** Assembles a response from the fields of a header block: {@code :status} is first, and the only pseudo-header field (RFC 9113, 8.3.2). */
final class ResponseFields implements HpackDecoder.Fields {

    private final ResponseAssembly assembly;
    private boolean regular;

    ResponseFields(Settings options) {
        assembly = new ResponseAssembly(options);
    }

    @Override
    public void field(String name, String value) {
        if (!name.isEmpty() && name.charAt(0) == ':') {
            if (regular || !name.equals(":status")) {
                assembly.wrong("a pseudo-header field that is not permitted there in a response");
            } else {
                assembly.status(value);
            }
            return;
        }
        regular = true;
        RequestError bad = FieldCheck.check(name, value);
        if (bad == null) {
            assembly.field(name, value);
        } else {
            assembly.wrong(bad.violation().found());
        }
    }

    @Override
    public void tooLarge() {
        assembly.wrong("a response head that is too large; to allow more, raise maxHttpResponseHeaderSize");
    }

    ResponseAssembly assembly() {
        return assembly;
    }
}
