package io.millrace.standalone.operator;

import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Option;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Scripts by which shells complete the words of a command line. */
final class ShellCompletion {

    /**
     * The options of commands that do not ask a server: their classes would take this one's time. A test compares them with what those
     * commands have.
     */
    private static final String OTHERS = """
            run --port --address --transport --tls-cert --tls-key --http2 --virtual-threads --request-id --users --work \
            --access-log --grace --drain-delay --health --rule --rules --no-index --log-format --verbose
            start --base --admin --strict --log-format --verbose
            proxy --port --address --transport --tls-cert --tls-key --http2 --virtual-threads --request-id --ca --backend-tls \
            --access-log --grace --drain-delay --health --rule --rules --log-format --verbose --max-connections \
            --max-waiting --client-share --wait-timeout --connect-timeout --tls-timeout --response-timeout --response-buffer \
            --keep-alive-timeout --max-connection-age --tunnel-timeout --retries --retry-on --preserve-host --forwarded \
            --drop-unusual-headers --front-end-headers --proxy-protocol --via --sticky --health-path --health-interval \
            --health-fall --health-rise --slow-start
            check --base --connect
            archive
            tomcat-home --force
            shootout --url --transports --tls --sizes --clients --seconds --rounds --quick --no-async --ports --heap --beside \
            --report --json
            version --tomcat
            """;

    private ShellCompletion() {}

    /**
     * The script. Bash takes an equals sign for a word of its own, zsh does not; both give file names where there is nothing else.
     *
     * @param shell bash or zsh
     * @param commands those that ask a server
     */
    static String script(String shell, Iterable<Command> commands) {
        Map<String, String> options = new TreeMap<>();
        OTHERS.lines()
                .map(line -> line.split(" ", 2))
                .forEach(line -> options.put(line[0], line.length < 2 ? "" : line[1]));
        commands.forEach(command -> options.put(
                command.syntax().name(),
                command.syntax().options().stream().map(Option::name).collect(Collectors.joining(" "))
                        + operands(command.syntax().name())));
        String names = String.join(" ", options.keySet());
        String cases = options.entrySet().stream()
                .map(each -> "        " + each.getKey() + ") options='" + each.getValue() + "' ;;")
                .collect(Collectors.joining("\n"));
        String setup = shell.equals("zsh") ? "autoload -Uz compinit bashcompinit && compinit && bashcompinit\n" : "";
        return """
                # completion of millrace: source <(millrace completion %s)
                %s_millrace() {
                    local options='' current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
                    COMPREPLY=()
                    if [ "$current" = = ]; then
                        current=
                    elif [ "$before" = = ]; then
                        before=${COMP_WORDS[COMP_CWORD-2]}
                    fi
                    case $current in
                        --base=*)
                            local IFS=$'\\n'
                            COMPREPLY=($(compgen -d -P --base= -- "${current#--base=}"))
                            return ;;
                    esac
                    case $before in
                        --base)
                            local IFS=$'\\n'
                            COMPREPLY=($(compgen -d -- "$current"))
                            return ;;
                        --state)
                            COMPREPLY=($(compgen -W 'active idle reading upgraded' -- "$current"))
                            return ;;
                        --transports)
                            COMPREPLY=($(compgen -W 'nio nio2 bio apr' -- "$current"))
                            return ;;
                        --tls)
                            COMPREPLY=($(compgen -W 'plain jsse openssl' -- "$current"))
                            return ;;
                        --path|--version|--to|--drain|--user|--grace|--timeout|--over|--stuck|--for|--virtual-host|--url|--sizes|--clients|--seconds|--rounds|--ports|--heap|--beside) return ;;
                    esac
                    if [ "$COMP_CWORD" -eq 1 ]; then
                        options='%s help'
                    else case ${COMP_WORDS[1]} in
                %s
                        help) options='%s' ;;
                    esac; fi
                    COMPREPLY=($(compgen -W "$options" -- "$current"))
                }
                complete -o filenames -o bashdefault -o default -F _millrace millrace
                """.formatted(shell, setup, names, cases, names);
    }

    private static String operands(String name) {
        return switch (name) {
            case "tls" -> " reload";
            case "jfr" -> " start";
            case "completion" -> " bash zsh";
            default -> "";
        };
    }
}
