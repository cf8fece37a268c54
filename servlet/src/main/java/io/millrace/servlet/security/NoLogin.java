package io.millrace.servlet.security;

/** No method, or one that is not known. Closed, not open: who can't prove who they are stays outside. */
record NoLogin(String authType) implements LoginMethod {

    @Override
    public boolean isRemembered() {
        return true;
    }

    @Override
    public Outcome ask(LoginRequest request) {
        return new Outcome.Answered(
                new Verdict.Refused(403, "This resource needs a login, which is not possible here."));
    }
}
