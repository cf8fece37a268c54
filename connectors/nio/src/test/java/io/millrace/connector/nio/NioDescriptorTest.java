package io.millrace.connector.nio;

import io.millrace.testkit.DescriptorContract;

final class NioDescriptorTest extends DescriptorContract {

    @Override
    protected String transport() {
        return "nio";
    }
}
