package io.millrace.connector.ajp;

import io.millrace.protocol.RequestAssembly;
import io.millrace.protocol.RequestRules;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * A FORWARD_REQUEST as it was received: well-formed, but not checked yet.
 *
 * @param method null if it is an attribute
 * @param uri without the query
 * @param request the header fields
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

    /** The client's request line, for the access log; not checked and not escaped. */
    String line() {
        String name = method == null ? attributes.storedMethod() : method;
        String query = attributes.query();
        return (name == null ? "-" : name) + ' ' + uri + (query == null ? "" : '?' + query) + ' ' + protocol;
    }

    /** Reads the fields after the packet's type. */
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
