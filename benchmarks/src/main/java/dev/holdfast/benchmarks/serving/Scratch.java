// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.serving;

import dev.holdfast.benchmarks.client.Kind;
import dev.holdfast.benchmarks.client.Protocol;
import dev.holdfast.benchmarks.proxies.Ask;
import dev.holdfast.benchmarks.proxies.Proxies;
import dev.holdfast.benchmarks.servers.ServerProcess;
import dev.holdfast.benchmarks.servers.Side;
import java.util.List;

public final class Scratch {
  private Scratch() {}

  public static void main(String[] a) {
    int clusters = Integer.parseInt(a[0]);
    int streams = Integer.parseInt(a[1]);
    for (Protocol protocol : Protocol.values()) {
      for (Side side : Side.values()) {
        try (ServerProcess server = ServerProcess.start(side, clusters);
            Proxies proxies =
                new Proxies(
                    server.port(),
                    protocol,
                    List.of(new Ask(Kind.CLUSTER.typeUrl(), List.of())),
                    null)) {
          proxies.connect(streams / 20);
          long h0 = server.heap();
          proxies.connect(streams - streams / 20);
          long h1 = server.heap();
          System.out.println(
              side
                  + " "
                  + protocol
                  + " heap/stream "
                  + (h1 - h0) / (streams - streams / 20)
                  + " base "
                  + h0);
          for (int i = 0; i < Integer.parseInt(a[2]); i++) {
            ServerProcess.Exchange e = server.change(streams);
            System.out.printf("  %.1f ms cpu %.1f%n", e.millis(), e.cpuMillis());
          }
        }
      }
    }
  }
}
