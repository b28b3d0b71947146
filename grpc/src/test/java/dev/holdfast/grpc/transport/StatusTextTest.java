// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A failed connection says why in words that people know. */
class StatusTextTest {
  private static final Status IO = Status.UNAVAILABLE.withDescription("io exception");

  private static String text(Status status) {
    return String.valueOf(StatusText.withCauses(status).getDescription());
  }

  @Test
  void aRefusedConnectionSaysSoAndWhere() {
    String call = "finishConnect(..) failed with error(-111): Connection refused";
    IOException refused = new IOException(call + ": /127.0.0.1:1", new IOException(call));

    assertThat(text(IO.withCause(refused))).isEqualTo("Connection refused: /127.0.0.1:1");
  }

  @Test
  void theCauseStaysACause() {
    IOException cause = new IOException("recvAddress(..) failed: Connection reset by peer");

    Status status = StatusText.withCauses(IO.withCause(cause));

    assertThat(status.getDescription()).isEqualTo("Connection reset by peer");
    assertThat(status.getCause()).isSameAs(cause);
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void whatGrpcSaysItselfComesFirst() {
    Status status =
        Status.UNAVAILABLE
            .withDescription("Unable to resolve host nowhere\nChannel Pipeline: [a, b]")
            .withCause(new IOException("nowhere: Name or service not known"));

    assertThat(text(status))
        .isEqualTo("Unable to resolve host nowhere: nowhere: Name or service not known");
  }

  @Test
  void withoutWordsInTheCausesGrpcsOwnStay() {
    assertThat(text(IO.withCause(new IOException()))).isEqualTo("io exception");
    assertThat(text(IO)).isEqualTo("io exception");
  }

  @Test
  void anAnswerThatIsNotGrpcsIsTheSameWhateverTheTime() {
    Status status =
        Status.UNIMPLEMENTED.withDescription(
            "HTTP status code 404\nmissing content-type\ntrailers: Metadata(date=now)\nDATA: x");

    assertThat(text(status)).isEqualTo("HTTP status code 404\nmissing content-type");
    assertThat(text(Status.CANCELLED)).isEqualTo("null");
  }

  @Test
  void whatTheServerSaysIsLeftAlone() {
    assertThat(text(Status.PERMISSION_DENIED.withDescription("who\nare you")))
        .isEqualTo("who\nare you");
  }
}
