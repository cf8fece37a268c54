package io.millrace.connector.nio2;

import io.millrace.testkit.DescriptorContract;

final class Nio2DescriptorTest extends DescriptorContract {

    @Override
    protected String transport() {
        return "nio2";
    }
}
