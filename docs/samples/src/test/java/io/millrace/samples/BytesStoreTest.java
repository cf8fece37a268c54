package io.millrace.samples;

import io.millrace.servlet.session.store.SessionStore;
import io.millrace.servlet.session.store.SessionStoreContract;

/** The sample of a store … */
class BytesStoreTest extends SessionStoreContract {

    @Override
    protected SessionStore store() {
        return new SessionSamples.BytesStore();
    }

    @Override
    protected SessionStore other(SessionStore store) {
        return store;
    }
}
