package io.millrace.standalone.config.valve;

import io.millrace.exchange.HttpHandler;
import io.millrace.forwarded.CertificateFields;
import io.millrace.settings.Setting;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Tomcat's SSLValve, with an attribute of our own, {@code trusted}: Tomcat's trusts every client. */
public final class SslValve extends HandlerValve {

    private static final List<Setting<String>> HEADERS = List.of(
            CertificateFields.CERTIFICATE,
            CertificateFields.ESCAPED_CERTIFICATE,
            CertificateFields.CIPHER_SUITE,
            CertificateFields.SESSION_ID,
            CertificateFields.KEY_SIZE);

    SslValve() {
        super(VALVES + "SSLValve", Attribute.of(CertificateFields.all()));
    }

    @Override
    public void check(Element valve, String parent, Problems problems) {
        if (valve.get(CertificateFields.TRUSTED).isEmpty()) {
            problems.error(
                    valve.line(),
                    "SSLValve: no front end is trusted to send certificates of clients, and any client could send the"
                            + " field; list the front ends' addresses, as in trusted=\"10.0.0.5\"");
        }
    }

    @Override
    public Set<String> frontEndHeaders(Element valve) {
        return HEADERS.stream().map(valve::get).filter(name -> !name.isEmpty()).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public UnaryOperator<HttpHandler> handler(Element valve, Path base, Consumer<String> warnings) {
        return CertificateFields.of(valve.settings())::wrap;
    }
}
