package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.connector.ajp.AjpOptions;
import io.millrace.settings.Settings;
import org.junit.jupiter.api.Test;

/** The samples of AJP … */
class AjpConnectorsTest {

    @Test
    void speakAjpAlone() {
        Connector ajp = AjpConnectors.ajp();
        assertEquals(1, ajp.protocols().size());
        assertFalse(ajp.isHttp());
    }

    @Test
    void speakBothOnOnePort() {
        Connector both = AjpConnectors.sharedPort(Settings.DEFAULTS.with(AjpOptions.SECRET, "change-me"));
        assertEquals(2, both.protocols().size());
        assertTrue(both.isHttp());
    }
}
