package io.millrace.servlet.settings;

import io.millrace.exchange.AttributeKey;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/**
 * What a connector says about the servlet requests that come by it, with Tomcat's names and defaults: {@code
 * Connector.builder().attribute(ConnectorSettings.KEY, settings)}. Where a connector says nothing, {@link #DEFAULTS} hold,
 * with the application's own form limits and redirectPort. Immutable; the {@code with…} methods make changed copies.
 *
 * @param forms limits on parameters and uploads
 * @param formMethods requests with other methods have no parameters in their bodies
 * @param uriCharset what escaped octets of a query are
 * @param useBodyEncodingForUri decode queries as the body is, ISO 8859-1 if the request does not say how
 * @param maxCookieCount cookies of one request (400); negative: no limit
 * @param maxSavePostSize bytes of a request's body that are kept while its user logs in by a form, to be served afterwards;
 *     negative: no limit; 0: none are kept
 * @param asyncTimeout of asynchronous requests that set none; zero waits for ever
 * @param redirectPort where https is served, for resources that ask for it; 0: nowhere, they are refused
 * @param lookups ask the name service for {@code getRemoteHost()}, which may take seconds; it is the address otherwise
 * @param allowTrace answer TRACE as the servlet does, rather than by 405
 * @param poweredBy say so in X-Powered-By
 * @param sendfile let the kernel send large static files
 */
public record ConnectorSettings(
        FormLimits forms,
        Set<String> formMethods,
        Charset uriCharset,
        boolean useBodyEncodingForUri,
        int maxCookieCount,
        int maxSavePostSize,
        Duration asyncTimeout,
        int redirectPort,
        boolean lookups,
        boolean allowTrace,
        boolean poweredBy,
        boolean sendfile) {

    /** Where handlers of a connector's requests find its settings. */
    public static final AttributeKey<ConnectorSettings> KEY =
            AttributeKey.of("connectorSettings", ConnectorSettings.class);

    /** Tomcat 9's, but without a redirectPort. */
    public static final ConnectorSettings DEFAULTS = new ConnectorSettings(
            FormLimits.DEFAULT,
            Set.of("POST"),
            StandardCharsets.UTF_8,
            false,
            200,
            4096,
            Duration.ofSeconds(30),
            0,
            false,
            false,
            false,
            true);

    /** With other limits on forms. */
    public ConnectorSettings withForms(FormLimits limits, Collection<String> methods) {
        return new ConnectorSettings(
                limits,
                Set.copyOf(methods),
                uriCharset,
                useBodyEncodingForUri,
                maxCookieCount,
                maxSavePostSize,
                asyncTimeout,
                redirectPort,
                lookups,
                allowTrace,
                poweredBy,
                sendfile);
    }

    /** With another https port. */
    public ConnectorSettings withRedirectPort(int port) {
        return new ConnectorSettings(
                forms,
                formMethods,
                uriCharset,
                useBodyEncodingForUri,
                maxCookieCount,
                maxSavePostSize,
                asyncTimeout,
                port,
                lookups,
                allowTrace,
                poweredBy,
                sendfile);
    }
}
