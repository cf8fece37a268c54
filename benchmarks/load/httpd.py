#!/usr/bin/env python3
"""Apache httpd alone, and before Millrace and Tomcat 9 by mod_jk, mod_proxy_ajp and mod_proxy_http: files of 4 KiB to 32 MiB at
4, 40 and 80 connections, plain and with TLS at the front. Throughput, and CPU of front and back for each request.

    ./httpd.py                          all, 3 rounds of 2 s: about 40 minutes
    ./httpd.py --minutes 20             the same in parts: stops in time; the next call goes on where this one stopped
    ./httpd.py --quick                  4 KiB, 64 KiB, 32 MiB, 2 rounds: about 11 minutes
    ./httpd.py --sizes 4k --conns 40 --fronts plain --ways jk
    ./httpd.py --report                 the tables of what was measured so far

Every round is kept in --into (results/httpd.json), all cases once before any is measured again; the tables are medians of what
is there, also of several calls. A new name or no such file: begin anew. Front and back share one core (--server-cpus), the
load generator has the other. Ways take turns. Small files are asked for by wrk for a time; large ones by h2load for a number of
whole responses, since what lies in sockets at the end would have cost CPU and been no request; before them a
load that is not counted takes the memory for the sockets from the machine. The ratio is Millrace's
back-end CPU for each request by Tomcat's of the same way; below 1 is better. Wants what bench.py wants, and the Debian
packages apache2-bin and libapache2-mod-jk."""
import argparse, json, os, re, signal, statistics, subprocess, sys, tempfile, time
import bench
from bench import HOST
from report import fmt

BACKS = ("millrace-nio", "tomcat9-nio")
WAYS = ("jk", "ajp", "http")
ALONE = ("alone", "httpd")
NAMES = {"jk": "mod_jk", "ajp": "mod_proxy_ajp", "http": "mod_proxy_http"}
MODULES = ("mpm_event", "authz_core", "ssl", "slotmem_shm", "proxy", "proxy_ajp", "proxy_http", "jk")
SIZES = "4k,16k,64k,512k,2m,8m,32m"
QUICK_SIZES = "4k,64k,32m"
LARGE = 512 << 10  # from here on whole responses are counted
VOLUME = 500e6  # bytes of them for each second of a round
WORST = 0.8  # what back-end CPU is to be at most, by Tomcat's


class Front:
    """One httpd for all cases, started anew only between runs: a port for each way and back end, plain and TLS."""

    def __init__(self, cfg, backs):
        self.cfg, self.ports, self.pids = cfg, {}, []
        self.folder = tempfile.mkdtemp(prefix="httpd-", dir=cfg.tmp)
        os.chmod(self.folder, 0o755)
        self.port = cfg.base_port + 100
        workers, hosts = ["worker.list=" + ",".join(backs)], []
        for name, (http, ajp) in backs.items():
            workers += ["worker.%s.%s" % (name, x) for x in
                        ("type=ajp13", "host=" + HOST, "port=%d" % ajp, "connection_pool_size=100")]
            hosts += self.hosts(("jk", name), 'JkMount "/*" ' + name)
            hosts += self.hosts(("ajp", name), 'ProxyPass "/" "ajp://%s:%d/"' % (HOST, ajp))
            hosts += self.hosts(("http", name), 'ProxyPass "/" "http://%s:%d/"' % (HOST, http))
        hosts += self.hosts(ALONE, 'DocumentRoot "%s"\n<Directory "%s">\nRequire all granted\n</Directory>'
                            % (cfg.docroot, cfg.docroot))
        self.write("workers.properties", workers)
        self.write("httpd.conf", [
            *("LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so" % (m, m) for m in MODULES),
            "ServerName localhost", "ServerRoot " + self.folder, "DefaultRuntimeDir " + self.folder, "PidFile pid",
            "ErrorLog error.log", "JkLogFile jk.log", "JkShmFile jk.shm", "JkWorkersFile workers.properties",
            "User www-data\nGroup www-data" if os.getuid() == 0 else "", "ServerLimit 1", "StartServers 1",
            "ThreadLimit 128", "ThreadsPerChild 128", "MaxRequestWorkers 128", "MinSpareThreads 1", "MaxSpareThreads 128",
            "MaxKeepAliveRequests 0", "KeepAliveTimeout 60", "SSLCertificateFile " + cfg.cert_file,
            "SSLCertificateKeyFile " + cfg.key_file, *hosts])

    def write(self, name, lines):
        with open(os.path.join(self.folder, name), "w") as f:
            f.write("\n".join(lines) + "\n")

    def hosts(self, key, text):
        for tls in (False, True):
            self.ports[key + (tls,)] = self.port
            yield "Listen %s:%d\n<VirtualHost %s:%d>\n%s%s\n</VirtualHost>" % (
                HOST, self.port, HOST, self.port, "SSLEngine on\n" if tls else "", text)
            self.port += 1

    def start(self):
        cmd = ["/usr/sbin/apache2", "-D", "FOREGROUND", "-f", os.path.join(self.folder, "httpd.conf")]
        pin = ["taskset", "-c", self.cfg.server_cpus] if self.cfg.server_cpus else []
        self.proc = subprocess.Popen(pin + cmd, stdin=subprocess.DEVNULL, start_new_session=True)
        bench.LIVE.append(self.proc)
        end = time.time() + 20
        while time.time() < end and self.proc.poll() is None:
            try:
                if bench.get(self.ports[ALONE + (False,)], "/file/4k.bin")[0] == 200:
                    self.pids = bench.proc_tree(self.proc.pid)
                    return
            except (OSError, ValueError, IndexError):
                time.sleep(0.05)
        sys.exit("httpd did not start; see " + self.folder)

    cpu = bench.Server.cpu


def settle(front, back):
    """Until nobody works any more: mod_jk reads what is left of responses whose clients have gone."""
    end = time.time() + 10
    while time.time() < end:
        before = front.cpu() + (back.cpu() if back else 0)
        time.sleep(0.1)
        if front.cpu() + (back.cpu() if back else 0) - before < 0.02:
            return


def fetch(cfg, load, url, size, c):
    """How many, in how many seconds, with how many errors."""
    if bench.FILES[size] < LARGE:
        r = load.wrk(url, c, cfg.secs)
        return r["requests"], r["secs"], r["errors"]
    n = c * max(1, round(cfg.secs * VOLUME / bench.FILES[size] / c))
    out = load.run(["h2load", "--h1", "-t1", "-c%d" % c, "-n%d" % n, url])
    took = re.search(r"finished in ([\d.]+)(m?s)", out)
    done = re.search(r"(\d+) done", out)
    # not what it calls succeeded: a status line without a reason, as Tomcat's, is none to it
    wrong = re.search(r"(\d+) 4xx, (\d+) 5xx", out)
    good = int(done.group(1)) - sum(map(int, wrong.groups())) if done and wrong else 0
    if not took or not good:
        raise RuntimeError("h2load: " + out.strip()[-300:])
    return good, float(took.group(1)) / (1e3 if took.group(2) == "ms" else 1), n - good


def measure(cfg, load, front, back, url, size, c):
    settle(front, back)
    before, back_before = front.cpu(), back.cpu() if back else 0
    n, secs, errors = fetch(cfg, load, url, size, c)
    n = max(1, n)
    return {"rate": n / secs, "front": (front.cpu() - before) / n * 1e6,
            "back": (back.cpu() - back_before) / n * 1e6 if back else None, "errors": errors}


def url_of(port, size, tls):
    return "%s://%s:%d/file/%s.bin" % ("https" if tls else "http", "localhost" if tls else HOST, port, size)


def warm(cfg, load, ports, cases):
    """Each way and back end, with small and large files: compilers work for the first seconds of CPU time, of which a back end
    gets half."""
    for _ in range(3):
        for case in cases:
            for size in ("4k", "2m") if case != ALONE else ():
                load.wrk(url_of(ports[case + (False,)], size, False), 40, cfg.secs)


# ------------------------------------------------------------------------------------------------ what is kept

class Results:
    """All rounds of all calls, in a file."""

    def __init__(self, path):
        self.path, self.meta, self.rows = path, [], []
        if os.path.exists(path):
            with open(path) as f:
                kept = json.load(f)
            self.meta, self.rows = kept["meta"], kept["rows"]

    def add(self, **row):
        self.rows.append(row)
        with open(self.path + ".new", "w") as f:
            json.dump({"meta": self.meta, "rows": self.rows}, f, indent=0)
        os.replace(self.path + ".new", self.path)

    def of(self, front, size, c, case):
        return [r for r in self.rows if (r["front"], r["size"], r["c"], r["way"], r["end"]) == (front, size, c) + case]

    def median(self, key, *which):
        values = [r[key] for r in self.of(*which) if r[key] is not None]
        return statistics.median(values) if values else None

    def groups(self, front):
        order = list(bench.FILES)
        return sorted({(r["size"], r["c"]) for r in self.rows if r["front"] == front}, key=lambda g: (order.index(g[0]), g[1]))

    def ratio(self, front, size, c, way):
        mine, other = (self.median("cpu_back", front, size, c, (way, end)) for end in BACKS)
        return mine / other if mine and other else None


def report(results):
    rounds = [len(results.of(r["front"], r["size"], r["c"], (r["way"], r["end"]))) for r in results.rows]
    yield from ("- taken: " + line for line in results.meta)
    yield "- rounds: %d to %d of each; errors: %d" % (min(rounds), max(rounds), sum(r["errors"] for r in results.rows))
    yield ""
    yield "Requests a second, CPU of back end and of httpd in µs for each request: Millrace's / Tomcat's. *×*: the back ends' CPU"
    yield "by each other; below 1 Millrace needs less."
    for front in ("plain", "TLS"):
        if results.groups(front):
            yield from table(results, front)
    yield from summary(results)


def table(results, front):
    head = ["file, connections", "httpd alone: per s", "CPU"]
    for way in WAYS:
        head += ["%s: per s" % NAMES[way], "back CPU", "×", "httpd CPU"]
    yield "\n### %s front\n\n| %s |\n|---|%s" % (front, " | ".join(head), "---:|" * (len(head) - 1))
    for size, c in results.groups(front):
        cells = ["%s, %d" % (size, c)] + [fmt(results.median(key, front, size, c, ALONE)) for key in ("rate", "cpu_front")]
        for way in WAYS:
            ratio = results.ratio(front, size, c, way)
            rate, back, own = (" / ".join(fmt(results.median(key, front, size, c, (way, end))) for end in BACKS)
                               for key in ("rate", "cpu_back", "cpu_front"))
            cells += [rate, back, "-" if ratio is None else ("**%.2f**" if ratio > WORST else "%.2f") % ratio, own]
        yield "| " + " | ".join(cells) + " |"


def summary(results):
    yield ""
    for way in WAYS:
        ratios = [(results.ratio(front, *group, way), front, group) for front in ("plain", "TLS") for group in results.groups(front)]
        ratios = sorted(r for r in ratios if r[0])
        if ratios:
            most, front, (size, c) = ratios[-1]
            yield "- %s: × is %.2f in the middle of %d cases, at most %.2f (%s, %s, %d connections); above %.1f in %d" % (
                NAMES[way], ratios[len(ratios) // 2][0], len(ratios), most, front, size, c, WORST,
                sum(r[0] > WORST for r in ratios))


# ------------------------------------------------------------------------------------------------ the run

def start(cfg):
    bench.prepare(cfg)
    bench.hello_war(cfg)
    rows = bench.catalogue()
    backs, ports = {}, {}
    for i, name in enumerate(BACKS):
        ajp = cfg.base_port + 50 + i
        backs[name] = bench.Server(cfg, dict(rows[name], features=["servlet", "file"]), i)
        backs[name].start(extra_env={"AJP_PORT": str(ajp)})
        ports[name] = (backs[name].port, ajp)
    front = Front(cfg, ports)
    front.start()
    return front, backs


def run(cfg, results):
    """All cases once, then again: what is there after any number of calls is as even as can be."""
    end = time.time() + (cfg.minutes * 60 if cfg.minutes else 1e9)
    cases = [ALONE] + [(way, name) for way in cfg.ways for name in BACKS]
    todo = [(r, front, size, c) for r in range(cfg.rounds) for front in cfg.fronts for size in cfg.sizes for c in cfg.conns]
    todo = [(front, size, c) for r, front, size, c in todo if any(len(results.of(front, size, c, case)) <= r for case in cases)]
    if not todo:
        return
    front, backs = start(cfg)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=bench.BENCH, stdout=subprocess.PIPE, text=True).stdout
    results.meta.append("%s, load average %.1f, %s, Java %s, rounds of %d s, servers on CPU %s" % (
        time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), os.getloadavg()[0], commit.strip(), bench.java_version(cfg.java),
        cfg.secs, cfg.server_cpus or "any"))
    load = bench.Load(cfg)
    warm(cfg, load, front.ports, cases)
    longest = 0
    for done, (kind, size, c) in enumerate(todo):
        began = time.time()
        if done and began + longest > end:
            print("httpd.py: %d of %d groups are left; the same call goes on with them" % (len(todo) - done, len(todo)),
                  file=sys.stderr)
            return
        tls = kind == "TLS"
        # memory for so many full sockets has to be found once, and whoever came first would pay for all: not counted
        first = cases[1:2] if bench.FILES[size] >= LARGE else []
        for i, case in enumerate(first + cases):
            back = backs.get(case[1])
            try:
                r = measure(cfg, load, front, back, url_of(front.ports[case + (tls,)], size, tls), size, c)
            except RuntimeError as failed:
                print("httpd.py: %s %s c=%d %s: %s" % (kind, size, c, case, failed), file=sys.stderr)
                continue
            if i < len(first):
                continue
            results.add(front=kind, size=size, c=c, way=case[0], end=case[1], rate=r["rate"], cpu_front=r["front"],
                        cpu_back=r["back"], errors=r["errors"])
        longest = max(longest, time.time() - began)


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--quick", action="store_true")
    p.add_argument("--minutes", type=float, help="stop in time; the next call goes on")
    p.add_argument("--report", action="store_true", help="measure nothing")
    p.add_argument("--into", help="where rounds are kept; results/httpd.json, or httpd-quick.json")
    p.add_argument("--sizes", help="of " + SIZES)
    p.add_argument("--conns", default="4,40,80")
    p.add_argument("--fronts", default="plain,TLS")
    p.add_argument("--ways", default=",".join(WAYS))
    p.add_argument("--rounds", type=int)
    p.add_argument("--time", dest="secs", type=int, default=2)
    p.add_argument("--jdk", default="25")
    p.add_argument("--jvm", default="-Xms512m -Xmx512m -XX:+UseSerialGC")
    p.add_argument("--server-cpus", default="0")
    p.add_argument("--client-cpus", default="1")
    p.add_argument("--base-port", type=int, default=int(os.environ.get("BENCH_PORT", "21500")))
    p.add_argument("--tmp", default=os.path.join(tempfile.gettempdir(), "bench-work"))
    cfg = p.parse_args()
    cfg.rounds = cfg.rounds or (2 if cfg.quick else 3)
    cfg.sizes = (cfg.sizes or (QUICK_SIZES if cfg.quick else SIZES)).split(",")
    cfg.conns, cfg.fronts, cfg.ways = [int(c) for c in cfg.conns.split(",")], cfg.fronts.split(","), cfg.ways.split(",")
    for given, known in ((cfg.sizes, bench.FILES), (cfg.fronts, ("plain", "TLS")), (cfg.ways, WAYS)):
        unknown = [x for x in given if x not in known]
        if unknown:
            sys.exit("httpd.py: unknown: %s; expected some of %s" % (",".join(unknown), ",".join(known)))
    cfg.into = os.path.abspath(cfg.into or os.path.join("results", "httpd-quick.json" if cfg.quick else "httpd.json"))
    cfg.cert, cfg.client_threads, cfg.native_flag, cfg.tcnative = "rsa", 1, "", None
    cfg.tmp = os.path.abspath(cfg.tmp)
    if re.fullmatch(r"\d+", cfg.client_cpus):
        os.sched_setaffinity(0, {int(cfg.client_cpus)})  # this script itself must not disturb the servers
    return cfg


def main():
    cfg = options()
    os.makedirs(cfg.tmp, exist_ok=True)
    os.makedirs(os.path.dirname(cfg.into), exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    results = Results(cfg.into)
    if not cfg.report:
        cfg.java = bench.find_java(cfg.jdk)
        run(cfg, results)
    if results.rows:
        text = "\n".join(report(results))
        with open(re.sub(r"\.json$", "", cfg.into) + ".md", "w") as f:
            f.write(text + "\n")
        print(text)


if __name__ == "__main__":
    main()
