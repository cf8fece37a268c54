package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;

/**
 * A jakarta.servlet application, which this container does not support.
 *
 * @param evidence what was found and where, as the beginning of a sentence
 */
public record JakartaApplication(String evidence) {

    public DeploymentException refusal() {
        return new DeploymentException(evidence
                + ": this is a jakarta.servlet application (Servlet 5.0 or later), and Millrace runs javax.servlet"
                + " applications (Servlet 4.0 and older). Deploy it on Tomcat 10 or later, or use its javax version.");
    }
}
