package io.millrace.standalone.operator;

import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Option;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Scripts by which shells complete the words of a command line. */
final class ShellCompletion {

    /** Commands that do not ask a server, whose options their own help lists. */
    private static final List<String> OTHERS =
            List.of("run", "start", "proxy", "check", "archive", "tomcat-home", "version", "help", "completion");

    private ShellCompletion() {}

    static String script(String shell, List<Command> commands) {
        String names = Stream.concat(
                        commands.stream().map(command -> command.syntax().name()), OTHERS.stream())
                .collect(Collectors.joining(" "));
        String cases = commands.stream()
                .map(command -> "        " + command.syntax().name() + ") words='"
                        + command.syntax().options().stream().map(Option::name).collect(Collectors.joining(" "))
                        + extra(command.syntax().name()) + "' ;;")
                .collect(Collectors.joining("\n"));
        String setup = shell.equals("zsh") ? "autoload -Uz compinit bashcompinit && compinit && bashcompinit\n" : "";
        return """
                # ShellCompletion of millrace: source <(millrace completion %s)
                %s_millrace() {
                    local words current=${COMP_WORDS[COMP_CWORD]}
                    COMPREPLY=()
                    case ${COMP_WORDS[COMP_CWORD-1]} in
                        --base) COMPREPLY=($(compgen -d -- "$current")); return ;;
                    esac
                    if [ "$COMP_CWORD" -eq 1 ]; then
                        words='%s'
                    else case ${COMP_WORDS[1]} in
                %s
                        help) words='%s' ;;
                        *) words='--base --help' ;;
                    esac; fi
                    COMPREPLY=($(compgen -W "$words" -- "$current"))
                    if [ "${#COMPREPLY[@]}" -eq 0 ]; then
                        COMPREPLY=($(compgen -f -- "$current"))
                    fi
                }
                complete -o filenames -F _millrace millrace
                """.formatted(shell, setup, names, cases, names);
    }

    private static String extra(String name) {
        return switch (name) {
            case "tls" -> " reload";
            case "jfr" -> " start";
            default -> "";
        };
    }
}
