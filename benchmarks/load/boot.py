#!/usr/bin/env python3
"""Spring Boot 2.7 on Millrace and on its own three servers: start, memory, requests per second of processor time.

    load/boot.py            measures, and builds if that has not been done: two minutes; prints the table of README.md
    load/boot.py --build    only builds

The servers take turns, in changing order; figures are medians. Each has one core, the load generator the other.
"""
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE / "boot"
SERVERS = ["millrace", "tomcat", "jetty", "undertow"]
NAMES = {"millrace": "Millrace", "tomcat": "Tomcat 9", "jetty": "Jetty 9.4", "undertow": "Undertow 2.2"}
ROUNDS = 3
WARM_UP = 2
SECONDS = 3
HEAP = ["-Xmx256m", "-XX:+UseSerialGC"]


def java():
    homes = sorted(Path("/usr/lib/jvm").glob("*25*/bin/java"))
    return os.environ.get("JAVA25_HOME", "") + "/bin/java" if os.environ.get("JAVA25_HOME") else str((homes or ["java"])[0])


def build():
    """Puts the starter into the local repository, and each server's libraries into a directory."""
    subprocess.run(
        ["mvn", "-q", "-B", "-Dquick", "-Dproduct", "-Dmaven.test.skip=true", "-pl", "integrations/spring-boot-2", "-am", "install"],
        check=True,
        cwd=HERE.parent.parent,
        stdin=subprocess.DEVNULL,
    )
    maven = ["mvn", "-q", "-B", "-f", str(PROJECT / "pom.xml")]
    for server in SERVERS:
        libraries = PROJECT / "target" / server
        shutil.rmtree(libraries, ignore_errors=True)
        subprocess.run(
            [*maven, "-P" + server, "compile", "dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={libraries}"],
            check=True,
            stdin=subprocess.DEVNULL,
        )


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def answers(port):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
            connection.sendall(b"GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            received = b""
            while block := connection.recv(4096):
                received += block
            return b" 200" in received.split(b"\r\n")[0] and received.endswith(b"Hello")
    except OSError:
        return False


def cpu(pid):
    """Seconds of processor time."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss(pid):
    """Resident memory of its own in MB: without mapped files."""
    return int(re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) / 1024


def load(port, seconds):
    output = subprocess.run(
        ["taskset", "-c", "1", "wrk", "-t1", "-c40", f"-d{seconds}s", f"http://127.0.0.1:{port}/hello"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    if "Non-2xx" in output:
        raise SystemExit(output)
    return int(re.search(r"(\d+) requests in", output).group(1))


def measure(server):
    port = free_port()
    began = time.monotonic()
    process = subprocess.Popen(
        ["taskset", "-c", "0", java(), *HEAP, "-cp", f"{PROJECT}/target/classes:{PROJECT}/target/{server}/*", "app.App",
         f"--server.port={port}", "--spring.main.banner-mode=off"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not answers(port):
            if process.poll() is not None or time.monotonic() - began > 60:
                raise SystemExit(f"{server} does not start")
            time.sleep(0.005)
        start = (time.monotonic() - began) * 1000
        used = cpu(process.pid) * 1000
        memory = rss(process.pid)
        load(port, WARM_UP)
        before = cpu(process.pid)
        requests = load(port, SECONDS)
        return start, used, memory, requests / (cpu(process.pid) - before), rss(process.pid)
    finally:
        process.kill()
        process.wait()


def main():
    if not all((PROJECT / "target" / server).is_dir() for server in SERVERS) or "--build" in sys.argv:
        build()
    if "--build" in sys.argv:
        return
    figures = {server: [] for server in SERVERS}
    for turn in range(ROUNDS):
        for server in SERVERS if turn % 2 == 0 else reversed(SERVERS):
            figures[server].append(measure(server))
    rows = [
        "until the first response, ms",
        "… processor time, ms",
        "memory then, MB",
        "requests per second of processor time, 40 connections",
        "memory after them, MB",
    ]
    print("| Spring Boot 2.7 | " + " | ".join(NAMES[server] for server in SERVERS) + " |")
    print("|---|" + "---:|" * len(SERVERS))
    for i, row in enumerate(rows):
        medians = {server: statistics.median(each[i] for each in figures[server]) for server in SERVERS}
        cells = [f"{medians['millrace']:,.0f}"]
        cells += [f"{medians[each]:,.0f} ({medians['millrace'] / medians[each]:.2f} ×)" for each in SERVERS[1:]]
        print(f"| {row} | " + " | ".join(cells) + " |")
    spread = max(
        (max(each[0] for each in values) - min(each[0] for each in values)) / statistics.median(each[0] for each in values)
        for values in figures.values()
    )
    print(f"\nThe starts of one server differ by at most {spread:.0%}.")


main()
