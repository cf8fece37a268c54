package io.millrace.servlet.security;

/** No login method, or an unsupported one: every resource that requires a login is refused. */
record NoLogin(String authType) implements LoginMethod {

    @Override
    public boolean isRemembered() {
        return true;
    }

    @Override
    public Outcome authenticate(LoginRequest request) {
        return new Outcome.Answered(
                new Verdict.Refused(403, "This resource requires a login, but this application supports none."));
    }
}
