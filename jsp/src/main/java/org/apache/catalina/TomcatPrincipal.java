package org.apache.catalina;

import java.security.Principal;

/**
 * A user as Tomcat knows one. Pages written for Tomcat ask whether theirs is one, and do not compile where there is no such
 * type; Millrace's users are none.
 */
public interface TomcatPrincipal extends Principal {

    /** The principal that applications see. */
    Principal getUserPrincipal();

    /** An attribute of the user; null if it has none of this name. */
    Object getAttribute(String name);

    /** The names of its attributes. */
    java.util.Enumeration<String> getAttributeNames();

    /** Ends what came with the login. */
    void logout() throws Exception;
}
