#!/usr/bin/env python3
"""A request with a session: in memory, shared by Redis or in the memory of two servers, sticky, and Tomcat 9 with its DeltaManager.

  sessions.py                           the whole table: seven minutes
  sessions.py --only writing            one row (reading, writing)
  sessions.py --servers memory,sticky

A session has a value of 2 KB and a counter. Reading, a page shows the counter; writing, it counts. The server has one core; Redis, the second node
of a cluster and the load generator share the other. Needs redis-server, and cluster/infinispan packaged. See README.md.
"""
import glob, http.client, os, re, shutil, statistics, subprocess, sys, time
from types import SimpleNamespace

import bench

DIST = os.path.join(bench.BENCH, "..", "..", "standalone", "target", "dist")
ENGINE = os.path.join(bench.BENCH, "..", "..", "cluster", "infinispan", "target", "engine")
TOMCAT = os.path.join(bench.BENCH, "peers", "tomcat9dist", "target", "apache-tomcat-*")
SESSIONS = 200
CONNECTIONS = 40
# below so many requests the compiler is still at work, with as much processor time as the pages; a slow server gets no more than a minute
WARM_REQUESTS, WARM_SECONDS = 60_000, 60
PAGES = {
    "begin": '<%@ page contentType="text/plain" %><% session.setAttribute("user", new String(new char[2048]).replace("\\0", "u"));'
             ' session.setAttribute("seen", 0); %>begun',
    "reading": '<%@ page contentType="text/plain" %><%= session.getAttribute("seen") %>',
    "writing": '<%@ page contentType="text/plain" %><% Integer seen = (Integer) session.getAttribute("seen");'
               ' session.setAttribute("seen", seen + 1); %><%= seen %>',
}
WEB_XML = '<web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0"><distributable/></web-app>'
SERVER_XML = """<Server port="-1"><Service name="Catalina">
  <Connector port="%d" address="127.0.0.1" maxThreads="200" maxKeepAliveRequests="-1"/>
  <Engine name="Catalina" defaultHost="localhost" jvmRoute="%s"><Host name="localhost" appBase="webapps">%s</Host></Engine>
</Service></Server>
"""
# Tomcat's documented cluster, with its members named instead of found by multicast; the second is the backup
DELTA = """<Cluster className="org.apache.catalina.ha.tcp.SimpleTcpCluster" channelSendOptions="8">
  <Manager className="org.apache.catalina.ha.session.DeltaManager" notifyListenersOnReplication="true"/>
  <Channel className="org.apache.catalina.tribes.group.GroupChannel">
    <Membership className="org.apache.catalina.tribes.membership.StaticMembershipService">
      <LocalMember className="org.apache.catalina.tribes.membership.StaticMember" port="%(own)d" host="127.0.0.1" uniqueId="%(id)s"/>
      <Member className="org.apache.catalina.tribes.membership.StaticMember" port="%(other)d" host="127.0.0.1" uniqueId="%(other_id)s"/>
    </Membership>
    <Receiver className="org.apache.catalina.tribes.transport.nio.NioReceiver" address="127.0.0.1" port="%(own)d" autoBind="0"/>
    <Sender className="org.apache.catalina.tribes.transport.ReplicationTransmitter">
      <Transport className="org.apache.catalina.tribes.transport.nio.PooledParallelSender"/>
    </Sender>
    <Interceptor className="org.apache.catalina.tribes.group.interceptors.TcpFailureDetector"/>
    <Interceptor className="org.apache.catalina.tribes.group.interceptors.MessageDispatchInterceptor"/>
  </Channel>
  <Valve className="org.apache.catalina.ha.tcp.ReplicationValve" filter=""/>
</Cluster>"""
IDS = ["{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,%d}" % i for i in (1, 2)]
# with a second node
PAIRS = ["infinispan", "infinispan-sticky", "tomcat-delta"]
SERVERS = ["memory", "shared", "sticky", "infinispan", "infinispan-sticky", "tomcat-memory", "tomcat-delta"]


class Comparison:
    def __init__(self, cfg):
        self.cfg, self.load = cfg, bench.Load(cfg)
        self.redis_port, self.tribes = cfg.base_port + 80, (cfg.base_port + 81, cfg.base_port + 82)
        self.nodes, self.cookies, self.others, self.rounds, self.notes = {}, {}, [], [], []

    def cluster(self, name, second=False):
        if name in ("shared", "sticky"):
            return '<Cluster className="io.millrace.Redis" uri="redis://127.0.0.1:%d" mode="%s"/>' % (self.redis_port, name)
        if name.startswith("infinispan"):
            ports = [self.cfg.base_port + 83 + 2 * PAIRS.index(name) + i for i in range(2)]
            return '<Cluster className="io.millrace.Infinispan" peers="%s" port="%d" mode="%s"/>' % (
                ",".join("127.0.0.1:%d" % port for port in ports), ports[second], "sticky" if name.endswith("sticky") else "shared")
        if name == "tomcat-delta":
            own, other = (1, 0) if second else (0, 1)
            return DELTA % {"own": self.tribes[own], "other": self.tribes[other], "id": IDS[own], "other_id": IDS[other]}
        return ""

    def base(self, name, port, second=False):
        base = os.path.join(self.cfg.tmp, "sessions-" + name + ("-second" if second else ""))
        shutil.rmtree(base, ignore_errors=True)
        for directory in ("conf", "logs", "temp", "work", "webapps/ROOT/WEB-INF"):
            os.makedirs(os.path.join(base, directory))
        if name.startswith("infinispan"):
            shutil.copytree(ENGINE, os.path.join(base, "lib", "cluster", "infinispan"))
        if name.startswith("tomcat"):
            shutil.copy(os.path.join(glob.glob(TOMCAT)[0], "conf", "web.xml"), os.path.join(base, "conf"))
        # each has sessions of its own in Redis, as these are named after the Host
        text = SERVER_XML % (port, name + ("2" if second else ""), self.cluster(name, second))
        texts = {"conf/server.xml": text if name != "sticky" else text.replace("Catalina", "Sticky")}
        texts["webapps/ROOT/WEB-INF/web.xml"] = WEB_XML
        texts.update(("webapps/ROOT/%s.jsp" % page, jsp) for page, jsp in PAGES.items())
        for file, content in texts.items():
            with open(os.path.join(base, file), "w") as f:
                f.write(content)
        return base

    def node(self, name, index, second=False):
        cfg = SimpleNamespace(**{**vars(self.cfg), "server_cpus": self.cfg.client_cpus if second else self.cfg.server_cpus})
        base = self.base(name, cfg.base_port + 4 * index, second)
        env = {"JAVA_HOME": os.path.dirname(os.path.dirname(os.path.realpath(cfg.java)))}
        if name.startswith("tomcat"):
            env.update(CATALINA_BASE=base, CATALINA_HOME=glob.glob(TOMCAT)[0], CATALINA_OPTS=cfg.jvm)
            command = glob.glob(TOMCAT)[0] + "/bin/catalina.sh run"
        else:
            env.update(JAVA_OPTS=cfg.jvm, MILLRACE_ARCHIVE="off")
            command = DIST + "/bin/millrace start --base " + base
        node = bench.Server(cfg, {"name": os.path.basename(base), "features": [], "probe": "/begin.jsp", "cmd": command, "env": env}, index)
        node.start()
        return node

    def start(self):
        redis = subprocess.Popen(self.load.pin(["redis-server", "--port", str(self.redis_port), "--bind", "127.0.0.1", "--save", "",
                                                "--appendonly", "no"]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        bench.LIVE.append(redis)
        self.others.append(SimpleNamespace(stop=lambda: bench.stop_process(redis)))
        for index, name in enumerate(self.cfg.servers):
            if name in PAIRS:
                self.others.append(self.node(name, len(SERVERS) + PAIRS.index(name), second=True))
            self.nodes[name] = self.node(name, index)
            self.cookies[name] = [self.begin(name) for i in range(SESSIONS)]

    def get(self, name, page, cookie=None, node=None):
        connection = http.client.HTTPConnection(bench.HOST, (node or self.nodes[name]).port, timeout=30)
        try:
            connection.request("GET", "/%s.jsp" % page, headers={"Cookie": cookie} if cookie else {})
            answer = connection.getresponse()
            return answer.status, answer.getheader("Set-Cookie", ""), answer.read().decode().strip()
        finally:
            connection.close()

    def begin(self, name):
        status, cookie, body = self.get(name, "begin")
        if (status, body) != (200, "begun"):
            raise RuntimeError("%s: %s %s" % (name, status, body))
        return cookie.split(";")[0]

    def seen(self, name):
        return [int(self.get(name, "reading", cookie)[2]) for cookie in self.cookies[name]]

    def stop(self):
        for node in list(self.nodes.values()) + self.others:
            node.stop()

    def turns(self, page):
        """Medians by name."""
        ask = lambda name, secs: self.load.wrk(bench.url(self.nodes[name], "/%s.jsp" % page), CONNECTIONS, secs, cookies=self.cookies[name])
        found = {}
        for name in self.nodes:
            warmed, began = 0, time.time()
            while warmed < WARM_REQUESTS and time.time() - began < WARM_SECONDS:
                warmed += ask(name, self.cfg.warm)["requests"]
        before = {name: sum(self.seen(name)) for name in self.nodes}
        asked = dict.fromkeys(self.nodes, 0)
        for turn in range(self.cfg.rounds):
            for name, node in self.nodes.items():
                own = node.cpu()
                r = ask(name, self.cfg.time)
                asked[name] += r["requests"]
                r.update(rate=r["requests"] / r["secs"], cpu_req=(node.cpu() - own) / r["requests"] * 1e6)
                found.setdefault(name, []).append(r)
                self.rounds.append(dict(r, workload="sessions", case=page, server=name, role="peer" if "tomcat" in name else "subject", round=turn))
                print("  %-8s %-14s %9.0f/s  p50 %6.2f  p99 %7.2f ms  CPU %7.1f us  %d errors" % (
                    page, name, r["rate"], r["p50"], r["p99"], r["cpu_req"], r["errors"]), flush=True)
                if r["errors"]:
                    self.notes.append("%s / %s: %d errors" % (page, name, r["errors"]))
        for name in self.nodes:
            self.check(page, name, sum(self.seen(name)) - before[name], asked[name])
        return {name: {key: statistics.median(r[key] for r in rounds) for key in rounds[0]} for name, rounds in found.items()}

    def check(self, page, name, counted, asked):
        """No session was lost, and each answer that wrote has counted; those under way at the end of a round were counted, not answered."""
        if page == "reading" and counted or page == "writing" and not 0 <= counted - asked <= CONNECTIONS * self.cfg.rounds:
            self.notes.append("%s / %s: %d answers, %d counted" % (page, name, asked, counted))

    def table(self):
        names = list(self.nodes)
        rows = []
        for page in ("reading", "writing"):
            if not re.search(self.cfg.only, page):
                continue
            medians = self.turns(page)
            first = medians.get("memory", medians[names[0]])["rate"]
            rows += [[page + ", requests/s"] + ["%.0f" % medians[name]["rate"] for name in names],
                     ["× " + ("memory" if "memory" in medians else names[0])] + ["%.2f" % (medians[name]["rate"] / first) for name in names],
                     ["CPU of the server for each, µs"] + ["%.1f" % medians[name]["cpu_req"] for name in names],
                     ["p99, ms"] + ["%.1f" % medians[name]["p99"] for name in names]]
        return ["| | %s |" % " | ".join(names), "|---|" + "---:|" * len(names)] + ["| %s |" % " | ".join(row) for row in rows]


def main():
    p = bench.parser(__doc__, port="21700")
    p.add_argument("--servers", default=",".join(SERVERS))
    p.add_argument("--only", default="", help="regular expression: only rows of which the name matches")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--time", type=int, default=3, help="seconds of a round")
    p.add_argument("--warm", type=int, default=3, help="seconds of each run before the first round")
    args = p.parse_args()
    servers = args.servers.split(",")
    unknown = [name for name in servers if name not in SERVERS]
    if unknown:
        p.error("unknown: %s; expected some of %s" % (",".join(unknown), ",".join(SERVERS)))
    if not shutil.which("redis-server"):
        sys.exit("sessions.py: install redis-server first")
    cfg = bench.prepared(args, native_flag="", servers=servers)
    comparison, began, load0 = Comparison(cfg), time.time(), os.getloadavg()
    try:
        comparison.start()
        table = comparison.table()
    finally:
        comparison.stop()
    rows = bench.catalogue()
    versions = {name: bench.server_version(rows[name]) for name in ("millrace-dist", "tomcat9-dist")}
    bench.save(cfg, began, load0, comparison.rounds, comparison.notes, versions, "%d of %d s" % (cfg.rounds, cfg.time))
    print("\nJava %s, %s; %s\n" % (bench.java_version(cfg.java), cfg.jvm, ", ".join("%s %s" % each for each in versions.items())))
    print("\n".join(table + comparison.notes))
    sys.exit(1 if comparison.notes else 0)


if __name__ == "__main__":
    main()
