package io.millrace.standalone;

final class AjpOverBioTest extends AjpContract {

    @Override
    String transport() {
        return "bio";
    }
}
