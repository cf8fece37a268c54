package io.millrace.forwarded;

import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Describes a {@link RemoteIp}. The names and what is not set are Tomcat's. */
public final class RemoteIpBuilder implements Cloneable {

    /** Private, shared, link-local and loopback addresses of both families, as Tomcat writes them. */
    public static final String PRIVATE_ADDRESSES = String.join(
            "|",
            "10\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}",
            "192\\.168\\.\\d{1,3}\\.\\d{1,3}",
            "169\\.254\\.\\d{1,3}\\.\\d{1,3}",
            "127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}",
            "100\\.6[4-9]{1}\\.\\d{1,3}\\.\\d{1,3}",
            "100\\.[7-9]{1}\\d{1}\\.\\d{1,3}\\.\\d{1,3}",
            "100\\.1[0-1]{1}\\d{1}\\.\\d{1,3}\\.\\d{1,3}",
            "100\\.12[0-7]{1}\\.\\d{1,3}\\.\\d{1,3}",
            "172\\.1[6-9]{1}\\.\\d{1,3}\\.\\d{1,3}",
            "172\\.2[0-9]{1}\\.\\d{1,3}\\.\\d{1,3}",
            "172\\.3[0-1]{1}\\.\\d{1,3}\\.\\d{1,3}",
            "0:0:0:0:0:0:0:1|::1",
            "fe[89ab]\\p{XDigit}:.*",
            "f[cd]\\p{XDigit}{2}+:.*");

    Trust internalProxies = Trust.matching(Pattern.compile(PRIVATE_ADDRESSES));
    Trust trustedProxies = Trust.nobody();
    String remoteIpHeader = "X-Forwarded-For";
    String proxiesHeader = "X-Forwarded-By";

    @Nullable
    String protocolHeader = "X-Forwarded-Proto";

    String protocolHeaderHttpsValue = "https";
    int httpServerPort = 80;
    int httpsServerPort = 443;

    @Nullable
    String hostHeader;

    @Nullable
    String portHeader;

    boolean changeLocalName;
    boolean changeLocalPort;
    boolean requestAttributesEnabled = true;

    RemoteIpBuilder() {}

    /** Front ends that are trusted and never spoken of; those with private addresses otherwise. */
    public RemoteIpBuilder internalProxies(Trust value) {
        internalProxies = Objects.requireNonNull(value);
        return this;
    }

    /** Front ends that are trusted and listed in {@link #proxiesHeader}; none otherwise. */
    public RemoteIpBuilder trustedProxies(Trust value) {
        trustedProxies = Objects.requireNonNull(value);
        return this;
    }

    /** The field that lists the client and the front ends; {@code X-Forwarded-For} otherwise. */
    public RemoteIpBuilder remoteIpHeader(String value) {
        remoteIpHeader = Objects.requireNonNull(value);
        return this;
    }

    /** The field in which applications find the trusted front ends; {@code X-Forwarded-By} otherwise. */
    public RemoteIpBuilder proxiesHeader(String value) {
        proxiesHeader = Objects.requireNonNull(value);
        return this;
    }

    /** The field that tells the scheme; {@code X-Forwarded-Proto} otherwise, empty for none. */
    public RemoteIpBuilder protocolHeader(String value) {
        protocolHeader = value.isEmpty() ? null : value;
        return this;
    }

    /** What that field says of HTTPS; {@code https} otherwise. Any other value means HTTP. */
    public RemoteIpBuilder protocolHeaderHttpsValue(String value) {
        protocolHeaderHttpsValue = Objects.requireNonNull(value);
        return this;
    }

    /** The port that requests were sent to if their scheme was told to be HTTP; 80 otherwise. */
    public RemoteIpBuilder httpServerPort(int value) {
        httpServerPort = value;
        return this;
    }

    /** The same for HTTPS; 443 otherwise. */
    public RemoteIpBuilder httpsServerPort(int value) {
        httpsServerPort = value;
        return this;
    }

    /** The field that tells the host, {@code X-Forwarded-Host} mostly; none otherwise. */
    public RemoteIpBuilder hostHeader(String value) {
        hostHeader = value.isEmpty() ? null : value;
        return this;
    }

    /** The field that tells the port, {@code X-Forwarded-Port} mostly, where the scheme is told too; none otherwise. */
    public RemoteIpBuilder portHeader(String value) {
        portHeader = value.isEmpty() ? null : value;
        return this;
    }

    /** Whether the host becomes the name of our own end of the connection too; false otherwise. */
    public RemoteIpBuilder changeLocalName(boolean value) {
        changeLocalName = value;
        return this;
    }

    /** Whether the port becomes that of our own end of the connection too; false otherwise. */
    public RemoteIpBuilder changeLocalPort(boolean value) {
        changeLocalPort = value;
        return this;
    }

    /** Whether access logs that ask for it are told; true otherwise. */
    public RemoteIpBuilder requestAttributesEnabled(boolean value) {
        requestAttributesEnabled = value;
        return this;
    }

    /** What was described so far; later changes do not reach it. */
    public RemoteIp build() {
        try {
            return new RemoteIp((RemoteIpBuilder) clone());
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
