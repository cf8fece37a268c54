package io.millrace.files;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Ways to send a file to a socket whose peer reads as fast as possible. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SendingBenchmark {

    @Param({"4096", "131072", "524288", "8388608"})
    private int size;

    private Path path = Path.of("");
    private FileChannel file;
    private SocketChannel socket;
    private ByteBuffer memory;
    private MappedByteBuffer mapped;

    @SuppressWarnings("NullAway.Init") // initialized in open()
    public SendingBenchmark() {}

    @Setup
    public void open() throws IOException {
        byte[] content = new byte[size];
        new Random(1).nextBytes(content);
        path = Files.write(Files.createTempFile("sending", ".bin"), content);
        file = FileChannel.open(path, StandardOpenOption.READ);
        memory = ByteBuffer.allocateDirect(size).put(content).flip();
        mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, size);
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            socket = SocketChannel.open(listening.getLocalAddress());
            SocketChannel reader = listening.accept();
            Thread thread = new Thread(() -> drain(reader), "reader");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void drain(SocketChannel reader) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(256 * 1024);
        try (reader) {
            while (reader.read(buffer.clear()) >= 0) {
                // discards it
            }
        } catch (IOException ended) {
            throw new IllegalStateException(ended);
        }
    }

    @TearDown
    public void close() throws IOException {
        socket.close();
        file.close();
        Files.delete(path);
    }

    @Benchmark
    public void memory() throws IOException {
        write(memory);
    }

    @Benchmark
    public void mapped() throws IOException {
        write(mapped);
    }

    @Benchmark
    public void sendfile() throws IOException {
        transfer(file);
    }

    /** The cost with the page cache only: each time, the file's attributes are read, and it is opened and closed. */
    @Benchmark
    public void openAndSendfile() throws IOException {
        if (FileStamp.of(path) == null) {
            throw new IOException("the file does not exist");
        }
        try (FileChannel opened = FileChannel.open(path, StandardOpenOption.READ)) {
            transfer(opened);
        }
    }

    private void write(ByteBuffer from) throws IOException {
        ByteBuffer left = from.duplicate();
        while (left.hasRemaining()) {
            socket.write(left);
        }
    }

    private void transfer(FileChannel from) throws IOException {
        for (long at = 0; at < size; ) {
            at += from.transferTo(at, size - at, socket);
        }
    }
}
