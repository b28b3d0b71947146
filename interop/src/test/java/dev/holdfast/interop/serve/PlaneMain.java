// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import dev.holdfast.server.ControlPlaneFactory;
import dev.holdfast.server.Daemon;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.TrafficOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A control plane that can be killed: {@code DIRECTORY STATE XDS-PORT [vhds]}. Says {@code ready
 * XDS-PORT ADMIN-PORT}, stops on a signal, and does not outlive whoever holds its standard input.
 */
public final class PlaneMain {
  /** Held on to: the JDK forgets the level of a logger that nobody refers to. */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  private PlaneMain() {}

  public static void main(String[] args) throws Exception {
    GRPC.setLevel(Level.OFF); // as the command does: gRPC logs a stack trace for each bad message
    ListenAddress any = new ListenAddress("127.0.0.1", 0);
    ServeOptions options =
        new ServeOptions(
            Path.of(args[0]),
            Path.of(args[1]),
            new ListenAddress("127.0.0.1", Integer.parseInt(args[2])),
            new ServeOptions.Admin(any, ""),
            // Two listeners on port 0 of one address are one to Envoy, which shares their socket.
            new ServeOptions.Listeners(
                any,
                new ListenAddress("0.0.0.0", 0),
                ServeOptions.DEFAULT_INGRESS_CLASS,
                TrafficOptions.none(),
                /* vhds= */ args.length > 3));
    Thread leash = new Thread(PlaneMain::endWithParent, "leash");
    leash.setDaemon(true);
    leash.start();
    Daemon daemon =
        Daemon.start(options, ControlPlaneFactory.embedded(), "test", new CountDownLatch(1));
    Runtime.getRuntime().addShutdownHook(new Thread(daemon::close, "stop"));
    System.out.println(
        "ready " + daemon.xds().address().port() + " " + daemon.admin().address().port());
    new CountDownLatch(1).await();
  }

  private static void endWithParent() {
    try {
      if (System.in.read() < 0) {
        Runtime.getRuntime().halt(1);
      }
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }
}
