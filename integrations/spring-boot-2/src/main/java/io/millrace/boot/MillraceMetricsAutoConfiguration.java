package io.millrace.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.Server;
import io.millrace.micrometer.MillraceMetrics;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;

/** Shows the server's metrics in the application's registry of Micrometer, unless the application binds them itself. */
@AutoConfiguration(
        afterName = "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public class MillraceMetricsAutoConfiguration {

    /** Binds the metrics when the server has started. */
    @Bean
    @ConditionalOnMissingBean(MillraceMetrics.class)
    public ApplicationListener<ServletWebServerInitializedEvent> millraceMetricsBinder(
            MeterRegistry registry, ApplicationContext context) {
        return new MetricsBinder(registry, context);
    }

    private static final class MetricsBinder
            implements ApplicationListener<ServletWebServerInitializedEvent>, DisposableBean {

        private final MeterRegistry registry;
        private final ApplicationContext context;
        private @Nullable MillraceMetrics metrics;

        MetricsBinder(MeterRegistry registry, ApplicationContext context) {
            this.registry = registry;
            this.context = context;
        }

        /** The context of a management port, whose event arrives here too, has the same registry. */
        @Override
        public void onApplicationEvent(ServletWebServerInitializedEvent event) {
            Server server = event.getWebServer() instanceof MillraceWebServer millrace ? millrace.server() : null;
            if (event.getApplicationContext().equals(context) && server != null) {
                metrics = new MillraceMetrics(server.metrics());
                metrics.bindTo(registry);
            }
        }

        @Override
        public void destroy() {
            if (metrics != null) {
                metrics.close();
            }
        }
    }
}
