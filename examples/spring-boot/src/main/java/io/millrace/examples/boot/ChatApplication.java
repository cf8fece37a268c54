package io.millrace.examples.boot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;

/** Starts in a WAR, where Spring's ServletContainerInitializer finds this class, and by {@code java -jar}. */
@SpringBootApplication(proxyBeanMethods = false)
public class ChatApplication extends SpringBootServletInitializer {

    public static void main(String[] arguments) {
        SpringApplication.run(ChatApplication.class, arguments);
    }

    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder application) {
        return application.sources(ChatApplication.class);
    }
}
