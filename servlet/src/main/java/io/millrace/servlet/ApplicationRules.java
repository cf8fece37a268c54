package io.millrace.servlet;

import io.millrace.rules.RuleSetup;
import io.millrace.rules.RuleSyntaxException;
import io.millrace.rules.Rules;
import io.millrace.servlet.deploy.Deployment;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.RuleUsers;
import io.millrace.servlet.model.DeploymentException;
import org.jspecify.annotations.Nullable;

/** The rules of an application that was written for Undertow. They protect it on whatever server it runs. */
final class ApplicationRules {

    private ApplicationRules() {}

    /**
     * Parses the rules of an application.
     *
     * @param users null if nobody can log in
     * @throws DeploymentException if they are invalid; the message shows the place
     */
    static @Nullable Rules of(Deployment read, @Nullable IdentityStore users) throws DeploymentException {
        String text = read.rules();
        if (text == null) {
            return null;
        }
        RuleSetup setup = RuleSetup.DEFAULTS
                .withDirectory(read.docBase())
                .withUsers(users == null ? null : new RuleUsers(users))
                .withStrict();
        try {
            return Rules.parse(text, setup);
        } catch (RuleSyntaxException e) {
            throw new DeploymentException(Deployment.RULES + ":" + e.getMessage());
        }
    }
}
