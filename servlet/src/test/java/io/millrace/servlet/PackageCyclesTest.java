package io.millrace.servlet;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The floors of the servlet layer: what requests are made of, then what runs them, then what registers and starts. */
final class PackageCyclesTest {

    private static final JavaClasses LAYER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.millrace.servlet");

    /** Each package is a slice of its own, {@code io.millrace.servlet} itself among them. */
    @Test
    void hasNone() {
        slices().matching("io.millrace.(**)").should().beFreeOfCycles().check(LAYER);
    }
}
