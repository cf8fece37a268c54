/** Tomcat's Realms and CredentialHandlers: each kind with its attributes, what is checked of them, and the identity store it makes. */
@NullMarked
package io.millrace.standalone.config.realm;

import org.jspecify.annotations.NullMarked;
