package io.millrace.websocket.jsr.server;

import io.millrace.servlet.WebApplication;
import io.millrace.servlet.WebApplicationBuilder;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/** An application that only the user Ann may access. */
final class Protected {

    /** Her Authorization field. */
    static final String ANN = "Basic "
            + Base64.getEncoder().encodeToString("ann:secret".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

    private Protected() {}

    static WebApplicationBuilder model(WebApplicationBuilder app) {
        return app.model(model -> {
            model.loginConfig = new LoginConfigModel("BASIC", null, null, null);
            model.securityConstraints.add(new SecurityConstraintModel(
                    List.of(new SecurityConstraintModel.Resources(List.of("/*"), List.of(), List.of())),
                    List.of("user"),
                    false));
        });
    }

    static void users(WebApplication application) {
        application.identities((name, password) ->
                name.equals("ann") && password.equals("secret") ? new Identity(name, Set.of("user")) : null);
    }
}
