package io.millrace.standalone;

final class AjpOverAprTest extends AjpContract {

    @Override
    String transport() {
        return "apr";
    }
}
