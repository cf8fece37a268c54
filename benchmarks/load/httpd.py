#!/usr/bin/env python3
"""Apache httpd alone, and before Millrace and Tomcat 9 by mod_jk, mod_proxy_ajp and mod_proxy_http: files of 4 KiB to 32 MiB at
4, 40 and 80 connections, plain and with TLS at the front. Throughput, and CPU of front and back for each request.

    ./httpd.py                          all sizes, 3 rounds of 3 s: about 55 minutes
    ./httpd.py --quick                  4 KiB, 128 KiB, 32 MiB, 2 rounds of 2 s: about 12 minutes
    ./httpd.py --quick --sizes 4k       one size

Front and back share one core (--server-cpus), the load generator has the other. Ways take turns in each round. The ratio is
Millrace's back-end CPU for each request by Tomcat's of the same way; below 1 is better. Wants what bench.py wants, and
the Debian packages apache2-bin and libapache2-mod-jk."""
import argparse, os, signal, statistics, subprocess, sys, tempfile, time
import bench
from bench import HOST

BACKS = ("millrace-nio", "tomcat9-nio")
WAYS = ("jk", "ajp", "http")
MODULES = ("mpm_event", "authz_core", "ssl", "slotmem_shm", "proxy", "proxy_ajp", "proxy_http", "jk")


HEAD = 400  # bytes of a response's head, about


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
        hosts += self.hosts(("alone", "httpd"), 'DocumentRoot "%s"\n<Directory "%s">\nRequire all granted\n</Directory>'
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
                if bench.get(self.ports["alone", "httpd", False], "/file/4k.bin")[0] == 200:
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


def measure(cfg, load, front, back, port, size, c, tls):
    """A request that was not over at the end counts by the part of its response that had come."""
    url = "%s://%s:%d/file/%s.bin" % ("https" if tls else "http", "localhost" if tls else HOST, port, size)
    settle(front, back)
    before, back_before = front.cpu(), back.cpu() if back else 0
    r = load.wrk(url, c, cfg.secs)
    n = max(1, r["requests"], r["bytes"] / (bench.FILES[size] + HEAD))
    return {"rate": n / r["secs"], "mb": r["bytes"] / r["secs"] / 1e6, "errors": r["errors"],
            "front": (front.cpu() - before) / n * 1e6, "back": (back.cpu() - back_before) / n * 1e6 if back else 0}


def warm(cfg, load, ports):
    """Each way and back end, with small and large files: what comes first is slowed down by compilers."""
    for (way, name, tls), port in ports.items():
        for size in ("4k", "2m"):
            load.wrk("%s://localhost:%d/file/%s.bin" % ("https" if tls else "http", port, size), 40, cfg.secs)


def median(runs, key):
    return statistics.median(r[key] for r in runs)


def table(cfg, load, front, backs, tls):
    print("\n### %s front\n\n| case | way | back end | requests/s | MB/s | front µs | back µs | × Tomcat's | errors |"
          "\n| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |" % ("TLS" if tls else "Plain"))
    cases = [("alone", "httpd")] + [(way, name) for way in WAYS for name in backs]
    for size in cfg.sizes.split(","):
        for c in (4, 40, 80):
            runs = {case: [] for case in cases}
            for _ in range(cfg.rounds):
                for case in cases:
                    runs[case].append(measure(cfg, load, front, backs.get(case[1]), front.ports[case + (tls,)], size, c, tls))
            for way, name in cases:
                kept = runs[way, name]
                other = runs.get((way, BACKS[1]), [{"back": 0}])
                ratio = median(kept, "back") / median(other, "back") if name == BACKS[0] and median(other, "back") else 0
                print("| %s c=%d | %s | %s | %.0f | %.0f | %.1f | %.1f | %s | %d |" % (
                    size, c, way, name, median(kept, "rate"), median(kept, "mb"), median(kept, "front"),
                    median(kept, "back"), "%.2f" % ratio if ratio else "–", sum(r["errors"] for r in kept)), flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--sizes")
    p.add_argument("--quick", action="store_true")
    p.add_argument("--rounds", type=int)
    p.add_argument("--time", dest="secs", type=int)
    p.add_argument("--jdk", default="25")
    p.add_argument("--jvm", default="-Xms512m -Xmx512m -XX:+UseSerialGC")
    p.add_argument("--server-cpus", default="0")
    p.add_argument("--client-cpus", default="1")
    p.add_argument("--base-port", type=int, default=21500)
    p.add_argument("--tmp", default=os.path.join(tempfile.gettempdir(), "bench-work"))
    cfg = p.parse_args()
    cfg.rounds, cfg.secs = cfg.rounds or (2 if cfg.quick else 3), cfg.secs or (2 if cfg.quick else 3)
    cfg.sizes = cfg.sizes or ("4k,128k,32m" if cfg.quick else "4k,16k,64k,128k,512k,2m,8m,32m")
    cfg.cert, cfg.client_threads, cfg.native_flag, cfg.tcnative = "rsa", 1, "", None
    cfg.tmp = os.path.abspath(cfg.tmp)
    os.makedirs(cfg.tmp, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    cfg.java = bench.find_java(cfg.jdk)
    bench.prepare(cfg)
    bench.hello_war(cfg)
    with open(os.path.join(bench.BENCH, "servers.json")) as f:
        rows = {row["name"]: row for row in bench.json.load(f)}
    backs, ports = {}, {}
    for i, name in enumerate(BACKS):
        ajp = cfg.base_port + 50 + i
        backs[name] = bench.Server(cfg, dict(rows[name], features=["servlet", "file"]), i)
        backs[name].start(extra_env={"AJP_PORT": str(ajp)})
        ports[name] = (backs[name].port, ajp)
    front = Front(cfg, ports)
    front.start()
    print("- taken: %s, load average %.1f, %s, %d rounds of %d s, servers on CPU %s" % (
        time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), os.getloadavg()[0], bench.java_version(cfg.java), cfg.rounds,
        cfg.secs, cfg.server_cpus or "any"))
    load = bench.Load(cfg)
    warm(cfg, load, front.ports)
    for tls in (False, True):
        table(cfg, load, front, backs, tls)


if __name__ == "__main__":
    main()
