package io.millrace.maven;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Component;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.settings.Server;
import org.apache.maven.settings.Settings;
import org.apache.maven.settings.building.SettingsProblem;
import org.apache.maven.settings.crypto.DefaultSettingsDecryptionRequest;
import org.apache.maven.settings.crypto.SettingsDecrypter;
import org.apache.maven.settings.crypto.SettingsDecryptionResult;
import org.jspecify.annotations.Nullable;

/** What the goals share that ask a running server by the text interface of the manager. */
abstract class ManagerMojo extends ServerMojo {

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** The text interface of the manager application, of this server or of Tomcat. */
    @Parameter(property = "millrace.manager", defaultValue = "http://localhost:8080/manager/text")
    private String manager;

    /** A user with the role manager-script. */
    @Parameter(property = "millrace.user")
    private @Nullable String user;

    /** Of the user. */
    @Parameter(property = "millrace.password")
    private @Nullable String password;

    /** The id of a server in settings.xml that has user and password. */
    @Parameter(property = "millrace.server")
    private @Nullable String server;

    @Parameter(defaultValue = "${settings}", readonly = true)
    private Settings settings;

    /** For passwords that {@code mvn --encrypt-password} has encrypted. */
    @Component
    @SuppressWarnings({"deprecation", "NullAway.Init"}) // as Maven 3 sets it
    private SettingsDecrypter decrypter;

    /** Sends a command, and fails unless its answer begins with OK. */
    void ask(String command, String parameters, String method, BodyPublisher body)
            throws IOException, InterruptedException, MojoFailureException {
        String path = contextPath().isEmpty() ? "/" : contextPath();
        HttpRequest.Builder request =
                request(command + "?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8) + parameters);
        request.method(method, body);
        String credentials = credentials();
        if (credentials != null) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        HttpResponse<String> answer;
        try {
            answer = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT)
                    .build()
                    .send(request.build(), BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new MojoFailureException("nothing listens at " + manager
                    + "; start the server, or name another with -Dmillrace.manager=URL");
        }
        if (answer.statusCode() == 401 || answer.statusCode() == 403) {
            throw new MojoFailureException(manager + " does not admit "
                    + (credentials == null ? "requests without a user" : "this user")
                    + " (status " + answer.statusCode()
                    + "); expected one with the role manager-script: -Dmillrace.user and"
                    + " -Dmillrace.password, or -Dmillrace.server=ID of settings.xml");
        }
        if (answer.statusCode() == 404) {
            throw new MojoFailureException(
                    "there is no manager at " + manager + " (status 404); expected the address of"
                            + " its text interface, such as http://localhost:8080/manager/text: -Dmillrace.manager=URL");
        }
        if (answer.statusCode() != 200 || !answer.body().startsWith("OK")) {
            throw new MojoFailureException(manager + " answered: "
                    + (answer.statusCode() == 200 ? answer.body().strip() : "status " + answer.statusCode()));
        }
        getLog().info(answer.body().strip());
    }

    private HttpRequest.Builder request(String command) throws MojoFailureException {
        try {
            String slashed = manager.endsWith("/") ? manager : manager + "/";
            return HttpRequest.newBuilder(URI.create(slashed + command)).timeout(LONGEST);
        } catch (IllegalArgumentException e) {
            throw new MojoFailureException("millrace.manager is \"" + manager
                    + "\"; expected an address such as http://localhost:8080/manager/text (" + e.getMessage() + ")");
        }
    }

    private @Nullable String credentials() throws MojoFailureException {
        if (server == null) {
            return user == null ? null : user + ":" + (password == null ? "" : password);
        }
        Server found = settings.getServer(server);
        if (found == null) {
            throw new MojoFailureException("settings.xml has no server with the id " + server);
        }
        SettingsDecryptionResult decrypted = decrypter.decrypt(new DefaultSettingsDecryptionRequest(found));
        for (SettingsProblem problem : decrypted.getProblems()) {
            throw new MojoFailureException("the password of the server " + server
                    + " in settings.xml cannot be decrypted: " + problem.getMessage());
        }
        return decrypted.getServer().getUsername() + ":" + decrypted.getServer().getPassword();
    }
}
