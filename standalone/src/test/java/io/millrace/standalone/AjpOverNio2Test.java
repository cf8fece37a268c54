package io.millrace.standalone;

final class AjpOverNio2Test extends AjpContract {

    @Override
    String transport() {
        return "nio2";
    }
}
