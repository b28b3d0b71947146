// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.rpc.Status;
import com.sun.management.ThreadMXBean;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Requests that are longer than usual are cut, or refused, while they are read. */
final class LongRequestReaderTest {
  private static final int LARGE = 8 << 20;

  private final AdsLimits limits = AdsLimits.of(256 << 20);
  private final RequestMarshaller<DeltaDiscoveryRequest> delta =
      new RequestMarshaller<>(
          AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod().getRequestMarshaller(),
          RequestFormat.DELTA,
          new RequestLimits(limits),
          /* only= */ null);
  private final RequestMarshaller<DiscoveryRequest> sotw =
      new RequestMarshaller<>(
          AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod()
              .getRequestMarshaller(),
          RequestFormat.SOTW,
          new RequestLimits(limits),
          /* only= */ null);

  private static <M extends MessageLite> ReadRequest<TypedRequest<M>> read(
      RequestMarshaller<M> marshaller, byte[] bytes) {
    return marshaller.parse(new ByteArrayInputStream(bytes));
  }

  private static <M extends MessageLite> M accepted(RequestMarshaller<M> marshaller, M message) {
    return requireNonNull(read(marshaller, message.toByteArray()).request()).message();
  }

  private static String limit(ReadRequest<?> read) {
    return requireNonNull(read.refusal()).limit();
  }

  private static Status error(String text) {
    return Status.newBuilder()
        .setCode(13)
        .setMessage(text)
        .addDetails(Any.newBuilder().setValue(ByteString.copyFrom(new byte[1_000])))
        .build();
  }

  @Test
  void aRequestWithALongErrorTextKeepsEverythingElse() {
    DeltaDiscoveryRequest.Builder usual =
        DeltaDiscoveryRequest.newBuilder()
            .setNode(Node.newBuilder().setId("n").setUserAgentName("envoy"))
            .setTypeUrl(ResourceType.CLUSTER.typeUrl())
            .addResourceNamesSubscribe("a")
            .addResourceNamesUnsubscribe("b")
            .putInitialResourceVersions("c", "1")
            .setResponseNonce("7");
    DeltaDiscoveryRequest read =
        accepted(delta, usual.clone().setErrorDetail(error("ü😀".repeat(LARGE / 8))).build());
    assertThat(read.getErrorDetail().getCode()).isEqualTo(13);
    assertThat(read.getErrorDetail().getDetailsList()).isEmpty();
    String text = read.getErrorDetail().getMessage();
    assertThat(text.length()).isBetween(limits.errorText() - 1, limits.errorText());
    assertThat("ü😀".repeat(text.length()).startsWith(text)).isTrue(); // no half a character
    assertThat(read.toBuilder().clearErrorDetail().build()).isEqualTo(usual.build());

    DiscoveryRequest.Builder other =
        DiscoveryRequest.newBuilder()
            .setVersionInfo("5")
            .addResourceNames("a")
            .addResourceNames("b")
            .setResponseNonce("7");
    DiscoveryRequest sotwRead =
        accepted(sotw, other.clone().setErrorDetail(error("x".repeat(LARGE))).build());
    assertThat(sotwRead.getErrorDetail().getMessage()).isEqualTo("x".repeat(limits.errorText()));
    assertThat(sotwRead.toBuilder().clearErrorDetail().build()).isEqualTo(other.build());
  }

  @Test
  void aLongRequestOfAnHonestClientIsReadAsItIs() {
    DeltaDiscoveryRequest.Builder request = DeltaDiscoveryRequest.newBuilder();
    for (int i = 0; i < limits.names(); i++) {
      request.addResourceNamesSubscribe("outbound/service-" + i);
      request.putInitialResourceVersions("outbound/service-" + i, "0123456789abcdef");
    }
    assertThat(accepted(delta, request.build())).isEqualTo(request.build());
  }

  @Test
  void theTextIsNeverInMemory() {
    byte[] bytes =
        DeltaDiscoveryRequest.newBuilder()
            .setErrorDetail(error("x".repeat(LARGE)))
            .build()
            .toByteArray();
    read(delta, bytes);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    read(delta, bytes);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(LARGE / 16);
  }

  @Test
  void whatExceedsALimitIsRefusedBeforeTheRestIsRead() {
    DeltaDiscoveryRequest.Builder names = DeltaDiscoveryRequest.newBuilder();
    for (int i = 0; i < 1_000_000; i++) {
      names.addResourceNamesSubscribe("n" + i);
    }
    assertThat(limit(read(delta, names.build().toByteArray()))).isEqualTo("names");
    assertThat(
            limit(
                read(
                    delta,
                    DeltaDiscoveryRequest.newBuilder()
                        .addResourceNamesUnsubscribe("x".repeat(LARGE))
                        .build()
                        .toByteArray())))
        .isEqualTo("nameLength");
    assertThat(
            limit(
                read(
                    sotw,
                    DiscoveryRequest.newBuilder()
                        .setNode(Node.newBuilder().setId("x".repeat(LARGE)))
                        .build()
                        .toByteArray())))
        .isEqualTo("node");
    DeltaDiscoveryRequest.Builder versions = DeltaDiscoveryRequest.newBuilder();
    for (int i = 0; i <= limits.versions(); i++) {
      versions.putInitialResourceVersions("n" + i, "");
    }
    assertThat(limit(read(delta, versions.build().toByteArray()))).isEqualTo("versions");
  }

  @Test
  void ofSeveralErrorsTheLastOneCounts() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    for (int i = 0; i < 10; i++) {
      out.writeMessage(DiscoveryRequest.ERROR_DETAIL_FIELD_NUMBER, error(i + "x".repeat(100_000)));
    }
    out.flush();
    DiscoveryRequest read = requireNonNull(read(sotw, bytes.toByteArray()).request()).message();
    assertThat(read.getErrorDetail().getMessage()).startsWith("9x").hasSize(limits.errorText());
  }

  @Test
  void whatNobodyReadsIsCounted() {
    DiscoveryRequest.Builder request = DiscoveryRequest.newBuilder();
    for (int i = 0; i < 10_000; i++) {
      request.addResourceNames("a rather long name " + i);
    }
    assertThat(read(sotw, request.build().toByteArray()).dropped()).isZero();

    request.setErrorDetail(error("x".repeat(LARGE)));
    assertThat(read(sotw, request.build().toByteArray()).dropped())
        .isBetween((long) LARGE - limits.errorText(), LARGE + 2_000L);
  }

  @Test
  void bytesThatAreNoRequestAreRefused() {
    Random random = new Random(20260101);
    byte[] request =
        DiscoveryRequest.newBuilder()
            .setErrorDetail(error("x".repeat(LongRequestReader.LONG)))
            .addResourceNames("a")
            .build()
            .toByteArray();
    for (int i = 0; i < 1_000; i++) {
      byte[] broken = request.clone();
      for (int j = 0; j < 4; j++) {
        broken[random.nextInt(j == 0 ? 16 : broken.length)] = (byte) random.nextInt();
      }
      ReadRequest<?> read = read(sotw, broken); // whatever it is, it does not throw
      assertThat(read.request() == null).isNotEqualTo(read.refusal() == null);
    }
    assertThat(read(sotw, new byte[LARGE]).refusal()).isNotNull();
  }
}
