package io.millrace.connector.bio;

import io.millrace.testkit.DescriptorContract;

final class BioDescriptorTest extends DescriptorContract {

    @Override
    protected String transport() {
        return "bio";
    }
}
