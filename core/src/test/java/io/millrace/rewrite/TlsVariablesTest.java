package io.millrace.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A component of a certificate's name … */
final class TlsVariablesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CN=ann, OU=admins, O=Example            | CN | ann",
                "CN=ann, OU=admins, O=Example            | OU | admins",
                "CN=ann, OU=admins, O=Example            | C  | ''",
                "CN=ann, OU=first, OU=second             | OU | first",
                "CN=ann+OU=admins, O=Example             | OU | admins",
                "CN=\"eve,OU=admins\", OU=guests         | OU | guests",
                "CN=\"eve,OU=admins\", OU=guests         | CN | eve,OU=admins",
                "CN=\"eve+OU=admins\"                    | OU | ''",
                "CN=eve\\\\, OU=guests                    | OU | guests",
                "CN=\"eve\\\\,OU=admins\", OU=guests     | OU | guests",
                "CN=\"eve\\\",OU=admins\", OU=guests     | OU | guests"
            })
    void isNeverPartOfTheValueOfAnother(String name, String type, String value) {
        assertEquals(value, Variables.TlsVariables.component(new X500Principal(name).getName(), type));
    }
}
