package io.millrace.servlet;

import io.millrace.rules.RuleSetup;
import io.millrace.rules.RuleSyntaxException;
import io.millrace.rules.Rules;
import io.millrace.servlet.deploy.Deployment;
import io.millrace.servlet.deploy.HandlersFile;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.RuleUsers;
import io.millrace.servlet.model.DeploymentException;
import org.jspecify.annotations.Nullable;

/** The rules of an application that was written for Undertow. They protect it on whatever server it runs. */
final class ApplicationRules {

    private ApplicationRules() {}

    /**
     * Parses the rules of an application. Several files are one sequence of rules, as in WildFly.
     *
     * @return null if it has none
     * @param users null if nobody can log in
     * @throws DeploymentException if they are invalid; the message shows the place
     */
    static @Nullable Rules of(Deployment read, @Nullable IdentityStore users) throws DeploymentException {
        RuleSetup setup = RuleSetup.DEFAULTS
                .withDirectory(read.docBase())
                .withUsers(users == null ? null : new RuleUsers(users))
                .withStrict();
        Rules all = null;
        for (HandlersFile file : read.rules()) {
            try {
                Rules rules = Rules.parse(file.text(), setup);
                all = all == null ? rules : all.followedBy(rules);
            } catch (RuleSyntaxException e) {
                throw new DeploymentException(file.name() + ":" + e.getMessage());
            }
        }
        return all;
    }
}
