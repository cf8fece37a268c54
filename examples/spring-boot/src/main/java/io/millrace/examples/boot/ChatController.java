package io.millrace.examples.boot;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/** Handles a GET, and STOMP messages to {@code /app/say}, which are sent to all subscribers of {@code /topic/said}. */
@Controller
public class ChatController {

    private static final Logger LOG = LoggerFactory.getLogger(ChatController.class);

    /** Logs with SLF4J, through Logback. */
    @GetMapping("/hello")
    @ResponseBody
    public String hello(@RequestParam String name) {
        LOG.info("{} says hello", name);
        return "Hello, " + name;
    }

    @MessageMapping("/say")
    @SendTo("/topic/said")
    public String say(String text) {
        LOG.info("Somebody says {}", text);
        return text;
    }
}
