package io.millrace.connector.spdy;

import io.millrace.client.mux.ResponseAssembly;
import io.millrace.settings.Settings;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Assembles a response from the fields of a header block: {@code :status} and {@code :version}, anywhere in the block, replace the
 * status line (SPDY/3, 3.2.2). The status may be followed by a reason phrase.
 */
final class SpdyResponseFields implements NameValueBlock.Fields {

    private final ResponseAssembly assembly;
    private final Set<String> names = new HashSet<>();

    SpdyResponseFields(Settings options) {
        assembly = new ResponseAssembly(options);
    }

    @Override
    public void field(String name, String value) {
        if (!names.add(name)) {
            assembly.wrong(SpdyRequestError.REPEATED_FIELD.violation().found());
        } else if (name.equals(":status")) {
            int space = value.indexOf(' ');
            assembly.status(space < 0 ? value : value.substring(0, space));
        } else if (!name.equals(":version")) {
            SpdyRequestError bad = SpdyFields.checkName(name);
            note(bad != null ? bad : SpdyFields.split(name, value, this::add));
        }
    }

    private void note(@Nullable SpdyRequestError bad) {
        if (bad != null) {
            assembly.wrong(bad.violation().found());
        }
    }

    private @Nullable SpdyRequestError add(String name, String value) {
        assembly.field(name, value);
        return null;
    }

    @Override
    public void tooLarge() {
        assembly.wrong("a response head that is too large; to allow more, raise maxHttpResponseHeaderSize");
    }

    ResponseAssembly assembly() {
        return assembly;
    }
}
