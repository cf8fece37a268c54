package io.millrace.websocket.jsr.server;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.WebApplicationBuilder;
import io.millrace.testkit.TestTls;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.servlet.ServletContext;
import javax.websocket.DeploymentException;
import javax.websocket.server.ServerContainer;
import org.jspecify.annotations.Nullable;

/** Endpoints on a real server, in an application built in code at {@code /app}, and the JDK's clients for them. */
final class EndpointServer implements AutoCloseable {

    /** Deploys endpoints while the application starts. */
    @FunctionalInterface
    interface Deployed {
        void into(ServerContainer container) throws DeploymentException;
    }

    private final Server server;
    private final WebApplication application;
    private final boolean tls;
    private final HttpClient client;

    private EndpointServer(Server server, WebApplication application, boolean tls) {
        this.server = server;
        this.application = application;
        this.tls = tls;
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        this.client = tls ? builder.sslContext(trusting()).build() : builder.build();
    }

    /** A server with annotated endpoints, on the default transport. */
    static EndpointServer of(Class<?>... endpoints) throws IOException {
        return of(container -> {
            for (Class<?> endpoint : endpoints) {
                container.addEndpoint(endpoint);
            }
        });
    }

    static EndpointServer of(Deployed deployed) throws IOException {
        return of(deployed, app -> app);
    }

    /** A server with more in the application. */
    static EndpointServer of(Deployed deployed, UnaryOperator<WebApplicationBuilder> more) throws IOException {
        return start(Connector.builder(), null, deployed, more, app -> {});
    }

    /** A server with settings of the deployed application. */
    static EndpointServer of(
            Deployed deployed, UnaryOperator<WebApplicationBuilder> more, Consumer<WebApplication> settings)
            throws IOException {
        return start(Connector.builder(), null, deployed, more, settings);
    }

    /** A server with a WAR in a directory. */
    static EndpointServer ofWar(Path war, Path work) throws IOException {
        WebApplication application = WebApplication.war(war).contextPath("/app").workDirectory(work);
        Server server = Server.builder()
                .connector(Connector.builder().port(0).build())
                .failFast(true)
                .application(application)
                .start();
        return new EndpointServer(server, application, false);
    }

    /** @param tls null for none */
    static EndpointServer over(String transport, @Nullable TlsImplementation tls, Path work, Class<?> endpoint)
            throws Exception {
        ConnectorBuilder connector = Connector.builder().transport(transport);
        TlsOptions options = tls == null ? null : options(tls, work);
        return start(connector, options, container -> container.addEndpoint(endpoint), app -> app, app -> {});
    }

    private static TlsOptions options(TlsImplementation implementation, Path work) throws Exception {
        Path certificate = work.resolve("certificate.pem");
        Path key = work.resolve("key.pem");
        TestTls.writePem(certificate, key);
        return TlsOptions.of(TlsHost.any().pem(certificate, key)).with(TlsOptions.IMPLEMENTATION, implementation);
    }

    private static SSLContext trusting() {
        try {
            KeyStore keys = TestTls.keyStore();
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "server", keys.getCertificate(keys.aliases().nextElement()));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static EndpointServer start(
            ConnectorBuilder connector,
            @Nullable TlsOptions tls,
            Deployed deployed,
            UnaryOperator<WebApplicationBuilder> more,
            Consumer<WebApplication> settings)
            throws IOException {
        WebApplicationBuilder builder = WebApplication.builder("/app").configure(context -> deploy(context, deployed));
        WebApplication application = more.apply(builder).build();
        settings.accept(application);
        connector.port(0);
        if (tls != null) {
            connector.tls(tls);
        }
        Server server = Server.builder()
                .connector(connector.build())
                .failFast(true)
                .application(application)
                .start();
        return new EndpointServer(server, application, tls != null);
    }

    private static void deploy(ServletContext context, Deployed deployed) {
        WebSocketInitializer.enable(context);
        try {
            deployed.into(container(context));
        } catch (DeploymentException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static ServerContainer container(ServletContext context) {
        return (ServerContainer) context.getAttribute(ServerContainer.class.getName());
    }

    ServerContainer container() {
        return container(application.servletContext());
    }

    HttpClient client() {
        return client;
    }

    /** @param path below that of the application */
    URI uri(String scheme, String path) {
        return URI.create(scheme + (tls ? "s" : "") + "://localhost:" + server.port() + "/app" + path);
    }

    EndpointClient connect(String path) throws Exception {
        return connect(path, builder -> {});
    }

    EndpointClient connect(String path, Consumer<WebSocket.Builder> more) throws Exception {
        WebSocket.Builder builder = client.newWebSocketBuilder();
        more.accept(builder);
        EndpointClient listener = new EndpointClient();
        builder.buildAsync(uri("ws", path), listener).get(30, TimeUnit.SECONDS);
        return listener;
    }

    /** The server's response to a handshake that fails. */
    HttpResponse<?> refused(String path, Consumer<WebSocket.Builder> more) throws Exception {
        try {
            connect(path, more);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof java.net.http.WebSocketHandshakeException refused) {
                return refused.getResponse();
            }
            throw e;
        }
        throw new AssertionError("the handshake succeeded");
    }

    int port() {
        return server.port();
    }

    /** Stops only the application. */
    void undeploy() {
        application.stop();
    }

    @Override
    public void close() {
        server.close();
    }
}
