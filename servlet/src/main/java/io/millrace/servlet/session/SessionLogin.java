package io.millrace.servlet.session;

import java.io.Serializable;
import java.security.Principal;

/**
 * Who logged in during a session, and how ({@code HttpServletRequest.getAuthType}). Goes with its session from server to
 * server if the principal can.
 */
public record SessionLogin(Principal principal, String authType) implements Serializable {}
