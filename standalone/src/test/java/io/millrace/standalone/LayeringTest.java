package io.millrace.standalone;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The layers of the architecture: each knows only its left neighbour. */
final class LayeringTest {

    private static JavaClasses product = new ClassFileImporter().importPackages("java.none");

    @BeforeAll
    static void read() {
        product = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.millrace");
    }

    @Test
    void keepsConnectorsApart() {
        slices().matching("io.millrace.connector.(*)..")
                .should()
                .notDependOnEachOther()
                .allowEmptyShould(true)
                .check(product);
    }

    @Test
    void letsNobodyButConnectorsKnowConnectors() {
        noClasses()
                .that(not(resideInAPackage("io.millrace.connector..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.millrace.connector..")
                .check(product);
    }

    @Test
    void keepsXnioInTheNioConnector() {
        noClasses()
                .that(not(resideInAPackage("io.millrace.connector.nio..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.xnio..")
                .check(product);
    }

    @Test
    void keepsNativeMemoryInTheBindings() {
        noClasses()
                .that(not(resideInAnyPackage(
                        "io.millrace.natives..",
                        "io.millrace.connector.apr.binding..",
                        "io.millrace.tls.openssl.binding..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.foreign..")
                .check(product);
    }

    @Test
    void keepsServletTypesInServletAndAbove() {
        noClasses()
                .that(not(resideInAnyPackage(
                        "io.millrace.servlet..",
                        "io.millrace.jsp..",
                        "io.millrace.websocket.jsr..",
                        "io.millrace.standalone..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("javax.servlet..")
                .check(product);
    }

    @Test
    void letsServletsDoWithoutAJspEngine() {
        noClasses()
                .that(not(resideInAPackage("io.millrace.jsp..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.millrace.jsp..", "org.apache.jasper..", "org.apache.tomcat.util..")
                .check(product);
    }

    @Test
    void keepsConnectionsFromServlets() {
        noClasses()
                .that(resideInAPackage("io.millrace.servlet.."))
                .should()
                .dependOnClassesThat()
                .haveNameMatching("io\\.millrace\\.io\\.(Connection|ConnectionHandler|Transport.*)")
                .check(product);
    }

    @Test
    void keepsProtocolsFromServlets() {
        noClasses()
                .that(resideInAPackage("io.millrace.servlet.."))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.millrace.http1..")
                .check(product);
    }

    @Test
    void keepsHttpFromConnections() {
        classes()
                .that()
                .resideInAPackage("io.millrace.io..")
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage("io.millrace.."))
                        .or(resideInAnyPackage("io.millrace.io..", "io.millrace.net", "io.millrace.settings")))
                .check(product);
    }

    @Test
    void keepsWorkersFromWhatTheyRun() {
        classes()
                .that()
                .resideInAPackage("io.millrace.workers..")
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage("io.millrace.."))
                        .or(resideInAnyPackage("io.millrace.workers..", "io.millrace.io..")))
                .check(product);
    }

    @Test
    void keepsExchangesFromProtocols() {
        noClasses()
                .that(resideInAnyPackage("io.millrace.http1..", "io.millrace.protocol.."))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.millrace.exchange..", "io.millrace.files..", "io.millrace.handler..", "io.millrace")
                .check(product);
    }

    @Test
    void keepsProtocolsFromExchangesAndHandlers() {
        noClasses()
                .that(resideInAnyPackage("io.millrace.exchange..", "io.millrace.files..", "io.millrace.handler.."))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.millrace.http1..")
                .check(product);
    }

    /** The proof of the seam: a protocol needs neither a transport nor a handler. */
    @Test
    void keepsAjpFromAllButTheSeamOfProtocols() {
        classes()
                .that()
                .resideInAPackage("io.millrace.connector.ajp..")
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage("io.millrace.."))
                        .or(resideInAnyPackage(
                                "io.millrace.connector.ajp..",
                                "io.millrace.protocol..",
                                "io.millrace.client..",
                                "io.millrace.http..",
                                "io.millrace.net..",
                                "io.millrace.io..",
                                "io.millrace.settings")))
                .allowEmptyShould(true)
                .check(product);
    }

    @Test
    void keepsTransportsFromTheProtocolsTheyCarry() {
        noClasses()
                .that(resideInAPackage("io.millrace.connector.."))
                .and(not(resideInAnyPackage(
                        "io.millrace.connector.ajp..",
                        "io.millrace.connector.http2..",
                        "io.millrace.connector.spdy..")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.millrace.http..",
                        "io.millrace.http1..",
                        "io.millrace.protocol..",
                        "io.millrace.exchange..",
                        "io.millrace.files..",
                        "io.millrace.handler..")
                .check(product);
    }
}
