package io.millrace.servlet.session;

import java.security.Principal;

/** Who logged in during a session, and how ({@code HttpServletRequest.getAuthType}). */
public record SessionLogin(Principal principal, String authType) {}
