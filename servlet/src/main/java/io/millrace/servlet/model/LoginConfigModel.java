package io.millrace.servlet.model;

import org.jspecify.annotations.Nullable;

/**
 * login-config.
 *
 * @param method BASIC, DIGEST, FORM, CLIENT-CERT or SPNEGO
 */
public record LoginConfigModel(
        @Nullable String method,
        @Nullable String realm,
        @Nullable String loginPage,
        @Nullable String errorPage) {}
