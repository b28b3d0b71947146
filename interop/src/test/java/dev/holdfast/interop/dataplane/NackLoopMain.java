// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import com.sun.management.OperatingSystemMXBean;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.grpc.resolver.XdsOptions;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls once; after a line of input, counts the NACKs that its client sends and the CPU time that
 * the process takes, for a while.
 */
final class NackLoopMain {
  private static final int SECONDS = Integer.getInteger("holdfast.loop.seconds", 10);

  private NackLoopMain() {}

  public static void main(String[] args) throws Exception {
    AtomicLong nacks = new AtomicLong();
    XdsClientObserver counter =
        new XdsClientObserver() {
          @Override
          public void nackSent(
              ServerConfig to, ResourceType<?> type, String version, String detail) {
            nacks.incrementAndGet();
          }
        };
    XdsBootstrap bootstrap =
        XdsBootstrap.builder()
            .nodeId(Stage.NODE)
            .server(ServerConfig.insecure("127.0.0.1:" + args[0]))
            .build();
    ManagedChannel channel =
        HoldfastChannel.forTarget(
                "xds:///svc",
                InsecureChannelCredentials.create(),
                XdsOptions.of(bootstrap)
                    .withProtocol(AdsProtocol.valueOf(args[1]))
                    .withObserver(counter))
            .build();
    Stage.awaitCall(channel, "an answer", Rpc.Outcome::isOk);
    System.out.println("called");
    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();

    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    Stage.await("the first NACK", () -> nacks.get() > 0);
    long cpu = system.getProcessCpuTime();
    long begin = System.nanoTime();
    TimeUnit.SECONDS.sleep(SECONDS);
    System.out.printf(
        "nacks %d cpu-ms %d ms %d%n",
        nacks.get(),
        TimeUnit.NANOSECONDS.toMillis(system.getProcessCpuTime() - cpu),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    channel.shutdownNow();
    System.exit(0);
  }
}
