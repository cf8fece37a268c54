package io.millrace.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests that are skipped if a directory under {@code connectors/} has been deleted. See {@link Connectors}. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsConnector.Condition.class)
public @interface NeedsConnector {

    /** The names of the directories. */
    String[] value();

    /** Evaluates the annotation of a class or method. */
    final class Condition implements ExecutionCondition {

        /** For JUnit. */
        public Condition() {}

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            NeedsConnector needed = context.getElement()
                    .map(element -> element.getAnnotation(NeedsConnector.class))
                    .orElse(null);
            if (needed != null) {
                for (String name : needed.value()) {
                    if (!Connectors.contain(name)) {
                        return ConditionEvaluationResult.disabled("there is no connectors/" + name);
                    }
                }
            }
            return ConditionEvaluationResult.enabled("nothing that it needs is missing");
        }
    }
}
