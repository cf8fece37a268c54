package io.millrace.connector.apr;

import io.millrace.testkit.DescriptorContract;

final class AprDescriptorTest extends DescriptorContract {

    @Override
    protected String transport() {
        return "apr";
    }
}
