package io.millrace.connector.ajp;

import io.millrace.protocol.RequestAssembly;
import io.millrace.protocol.RequestRules;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a FORWARD_REQUEST, as they came: well-formed, but nobody has looked yet whether they can be served.
 *
 * @param method null: it is among the attributes
 * @param uri without the query
 * @param request its fields
 */
record ForwardRequest(
        @Nullable String method,
        String protocol,
        String uri,
        String remoteAddress,
        @Nullable String remoteHost,
        String serverName,
        int serverPort,
        boolean isTls,
        RequestAssembly request,
        AjpAttributes attributes) {

    /** The request line that the front end was sent, for the access log; it may hold anything. */
    String line() {
        String said = method == null ? attributes.storedMethod() : method;
        String query = attributes.query();
        return (said == null ? "-" : said) + ' ' + uri + (query == null ? "" : '?' + query) + ' ' + protocol;
    }

    /** Reads what follows the packet's type. */
    static ForwardRequest read(PacketFields in, Settings options, RequestRules rules) throws BadPacketException {
        int code = in.octet();
        String method = Codes.method(code);
        if (method == null && code != Codes.STORED_METHOD) {
            throw new BadPacketException(Defect.METHOD);
        }
        String protocol = in.textOrEmpty();
        String uri = in.textOrEmpty();
        String remoteAddress = in.textOrEmpty();
        String remoteHost = in.text();
        String serverName = in.textOrEmpty();
        int serverPort = in.number();
        boolean isTls = in.octet() != 0;
        RequestAssembly request = new RequestAssembly(rules);
        HeaderFields.read(in, request);
        AjpAttributes attributes = new AjpAttributes(options);
        attributes.read(in);
        return new ForwardRequest(
                method, protocol, uri, remoteAddress, remoteHost, serverName, serverPort, isTls, request, attributes);
    }
}
