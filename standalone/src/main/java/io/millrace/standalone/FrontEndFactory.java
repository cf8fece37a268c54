package io.millrace.standalone;

import io.millrace.forwarded.CertificateFields;
import io.millrace.forwarded.ForwardedField;
import io.millrace.forwarded.Relay;
import io.millrace.forwarded.RemoteIp;
import io.millrace.net.AddressSet;
import io.millrace.standalone.config.FrontEndVocabulary;
import io.millrace.standalone.config.Values;

/** Creates from server.xml the handlers that apply what front ends report of clients. */
final class FrontEndFactory {

    private FrontEndFactory() {}

    static CertificateFields certificates(Values valve) {
        return CertificateFields.of(valve.settings());
    }

    static Relay relay(Values valve) {
        return FrontEndVocabulary.isForwarded(valve)
                ? ForwardedField.trusting(AddressSet.parse(valve.text(FrontEndVocabulary.TRUSTED, "")))
                : RemoteIp.DEFAULT.with(valve.settings());
    }
}
