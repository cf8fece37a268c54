package io.millrace.standalone;

final class AjpOverNioTest extends AjpContract {

    @Override
    String transport() {
        return "nio";
    }
}
