package org.apache.catalina;

import java.security.Principal;

/**
 * Tomcat's type of users, which JSP pages written for Tomcat test with {@code instanceof}; without it they would not compile.
 * Millrace's users do not have this type.
 */
public interface TomcatPrincipal extends Principal {

    /** The principal that applications see. */
    Principal getUserPrincipal();

    /** An attribute of the user; null if it has none of this name. */
    Object getAttribute(String name);

    /** The names of its attributes. */
    java.util.Enumeration<String> getAttributeNames();

    /** Logs the user out, releasing delegated credentials. */
    void logout() throws Exception;
}
