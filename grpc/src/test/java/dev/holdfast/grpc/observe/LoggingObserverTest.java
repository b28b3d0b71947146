// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.ServerConfig;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

class LoggingObserverTest {
  private static final ServerConfig SERVER = ServerConfig.insecure("xds:1");

  private final RecordingLogger log = new RecordingLogger();
  private final LoggingObserver observer = LoggingObserver.create(log, "shop");

  @Test
  void warnsOnceWhenAServerIsLostAndSaysWhenItIsBack() {
    observer.connected(SERVER, true);
    observer.serverFailure(SERVER, Status.UNAVAILABLE.withDescription("refused"));
    observer.connected(SERVER, false);
    observer.streamStarted(SERVER);
    observer.streamEnded(SERVER, Status.UNAVAILABLE);
    observer.connected(SERVER, false);
    observer.connected(SERVER, true);
    observer.connected(SERVER, null);

    assertThat(log.aboveDebug())
        .containsExactly(
            "WARNING [shop] xDS server xds:1 is lost, what is cached stays in use: UNAVAILABLE:"
                + " refused",
            "INFO [shop] xDS server xds:1 works again");
  }

  @Test
  void warnsOfARefusedResponseButNotOfItsRepetition() {
    observer.nackSent(SERVER, TestType.CDS, "1", "bad");
    observer.nackSent(SERVER, TestType.CDS, "1", "bad");
    observer.nackSent(SERVER, TestType.LDS, "1", "bad");
    observer.nackSent(SERVER, TestType.CDS, "1", "worse");
    observer.nackSent(SERVER, TestType.CDS, "2", "worse");

    assertThat(log.aboveDebug())
        .containsExactly(
            "WARNING [shop] CDS of xDS server xds:1 is refused, version 1: bad",
            "WARNING [shop] LDS of xDS server xds:1 is refused, version 1: bad",
            "WARNING [shop] CDS of xDS server xds:1 is refused, version 1: worse",
            "WARNING [shop] CDS of xDS server xds:1 is refused, version 2: worse");
  }

  @Test
  void warnsOnceOfATypeThatNobodyAskedFor() {
    observer.unknownTypeIgnored(SERVER, "type/x");
    observer.unknownTypeIgnored(SERVER, "type/x");

    assertThat(log.aboveDebug())
        .containsExactly(
            "WARNING [shop] xDS server xds:1 sent what nobody asked for, ignored: type/x");
  }

  @Test
  void showsWhatAWatcherThrew() {
    observer.uncaught(new IllegalStateException("oops"));

    assertThat(log.lines)
        .containsExactly(
            "ERROR [shop] a watcher or an executor failed; the client goes on"
                + " java.lang.IllegalStateException: oops");
  }

  @Test
  void doesNotLetOthersForgeLinesOrFillTheDisk() {
    observer.nackSent(
        SERVER, TestType.CDS, "1", "x\nERROR forged\u001b[31m\u202e" + "y".repeat(5000));

    assertThat(log.lines.get(0))
        .contains("x\\nERROR forged\\u001b[31m\\u202eyyy")
        .endsWith(" more)")
        .hasSizeLessThan(2_200);
  }
}
