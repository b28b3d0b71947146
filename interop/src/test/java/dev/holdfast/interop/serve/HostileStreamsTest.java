// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import dev.holdfast.base.NamePattern;
import dev.holdfast.base.SystemTime;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.controlplane.ads.access.AccessRule;
import dev.holdfast.interop.Heap;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.server.options.XdsSecurity;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.testkit.TestCa;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever others say on their streams, a good Envoy gets what is meant for it: without TLS, and
 * with mTLS, where the others have a certificate of a role that may do little.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
@SuppressWarnings("NullAway.Init") // before the first test
class HostileStreamsTest {
  private static final int MANY_NAMES = 20_000;
  private static final int MANY_STREAMS = 2_000;
  private static final int DEAF_STREAMS = 50;

  /** What a gRPC client takes in one message unless told otherwise. */
  private static final int LARGEST_RESPONSE = 4 << 20;

  private static final int MOST_GROWTH_MEGABYTES = 48;

  private static Backend one;
  private static Backend two;
  private static Plane plane;
  private static EnvoyProcess envoy;
  private static Http http;
  private static long heapBefore;
  private static int edits;

  private static TestCa ca;
  private static Path files;

  private final boolean tls;
  private ManagedChannel channel;

  HostileStreamsTest(boolean tls) {
    this.tls = tls;
  }

  @BeforeParameterizedClassInvocation
  static void start(boolean tls) throws IOException {
    edits = 0;
    ca = TestCa.create("ours");
    files = Files.createTempDirectory("holdfast-hostile");
    ca.writeTo(files);
    ca.issue("server").writeTo(files);
    one = Backend.start("0");
    two = Backend.start("1");
    plane =
        Plane.start(
            tls ? security() : XdsSecurity.none(),
            "services.yaml",
            Yaml.service("s0", one.port()) + "---\n" + Yaml.service("s1", two.port()),
            "good.yaml",
            good(0));
    envoy =
        tls
            ? EnvoyProcess.start(bootstrap())
            : EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()));
    plane.awaitProgrammed("HTTPProxy/default/good", 1);
    http = envoy.http("ingress_http");
    heapBefore = Heap.megabytes();
  }

  /** The good Envoy is a proxy like any other; all others have no vote and no secrets. */
  private static XdsSecurity security() {
    return new XdsSecurity(
        new TlsFiles(
            files.resolve("cert.pem"), files.resolve("key.pem"), files.resolve("ca.pem"), null),
        List.of(
            rule("spiffe://test/good", /* trusted= */ true),
            rule("spiffe://test/*", /* trusted= */ false)));
  }

  private static AccessRule rule(String identity, boolean trusted) {
    return new AccessRule(
        new NamePattern(identity),
        AccessRule.Role.PROXY,
        List.of(),
        List.of(),
        List.of(),
        /* vote= */ trusted,
        /* secrets= */ trusted);
  }

  private static Path identity(String name) throws IOException {
    Path own = Files.createDirectories(files.resolve(name));
    ca.issueFor("x", "spiffe://test/" + name).writeTo(own);
    return own;
  }

  /** What {@code holdfast bootstrap envoy} prints. */
  private static String bootstrap() throws IOException {
    Path own = identity("good");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printer = new PrintStream(out, true, StandardCharsets.UTF_8);
    Main.run(
        new Shell(
            InputStream.nullInputStream(),
            printer,
            printer,
            Map.of(),
            SystemTime.instance(),
            Shell.Terminal.none()),
        "bootstrap",
        "envoy",
        "--node",
        "hf-node-1",
        "--admin-port",
        "0",
        "--xds-address",
        "127.0.0.1:" + plane.xdsPort(),
        "--ca",
        files.resolve("ca.pem").toString(),
        "--certificate",
        own.resolve("cert.pem").toString(),
        "--key",
        own.resolve("key.pem").toString());
    return out.toString(StandardCharsets.UTF_8);
  }

  private ChannelCredentials credentials() throws IOException {
    if (!tls) {
      return InsecureChannelCredentials.create();
    }
    Path own = identity("hostile");
    return TlsChannelCredentials.newBuilder()
        .trustManager(files.resolve("ca.pem").toFile())
        .keyManager(own.resolve("cert.pem").toFile(), own.resolve("key.pem").toFile())
        .build();
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    envoy.close();
    plane.close();
    one.close();
    two.close();
  }

  private static String good(int edit) {
    return Yaml.root(
        "good",
        "good.example.com",
        "routes: [{services: [{name: s"
            + edit % 2
            + ", port: 80}], timeoutPolicy: {response: "
            + (10 + edit)
            + "s}}]");
  }

  /** An edit reaches Envoy, whatever else goes on. */
  private static void goodEdit() {
    edits++;
    plane.write("good.yaml", good(edits));
    String wanted = Integer.toString(edits % 2);
    Plane.await(
        "edit " + edits + " reaches Envoy",
        () -> http.get("/").host("good.example.com").send().backend().equals(wanted));
  }

  @BeforeEach
  void connect() throws IOException {
    channel =
        Grpc.newChannelBuilder("127.0.0.1:" + plane.xdsPort(), credentials())
            .maxInboundMessageSize(64 << 20)
            .build();
  }

  @AfterEach
  void nothingIsLeft() {
    goodEdit();
    channel.shutdownNow();
    Plane.await(
        "only Envoy is left",
        () -> plane.get("/api/v1/proxies").getAsJsonObject().getAsJsonArray("items").size() == 1);
    plane.awaitProgrammed("HTTPProxy/default/good", edits + 1L);
    assertThat(Heap.megabytes() - heapBefore).as("growth").isLessThan(MOST_GROWTH_MEGABYTES);
  }

  private static DiscoveryRequest.Builder sotw(String agent, String type) {
    return DiscoveryRequest.newBuilder()
        .setNode(Node.newBuilder().setId("hostile").setUserAgentName(agent))
        .setTypeUrl(type);
  }

  private static DeltaDiscoveryRequest.Builder delta(String agent, String type) {
    return DeltaDiscoveryRequest.newBuilder()
        .setNode(Node.newBuilder().setId("hostile").setUserAgentName(agent))
        .setTypeUrl(type);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void garbageEndsItsOwnStreamAndNoOther(boolean delta) throws Exception {
    Random random = new Random(1);
    RawStream neighbour = RawStream.open(channel, false);
    neighbour.send(sotw("gRPC", TypeUrls.CLUSTER).build().toByteArray()).next();
    for (int i = 0; i < 100; i++) {
      byte[] garbage = new byte[1 + random.nextInt(200)];
      random.nextBytes(garbage);
      garbage[0] = 0x07; // there is no wire type 7
      RawStream stream = RawStream.open(channel, delta).send(garbage);
      assertThat(stream.end().getCode()).isEqualTo(io.grpc.Status.Code.INVALID_ARGUMENT);
    }
    int before = neighbour.waiting();
    goodEdit();
    assertThat(neighbour.waiting()).isGreaterThanOrEqualTo(before);
    neighbour.drop();
  }

  @Test
  void unknownTypesAndStrangeNoncesAreIgnored() throws Exception {
    RawStream stream = RawStream.open(channel, false);
    for (int i = 0; i < 400; i++) {
      stream.send(sotw("envoy", "type.googleapis.com/no.such.Type" + i).build().toByteArray());
      stream.send(
          sotw("envoy", TypeUrls.LISTENER)
              .setResponseNonce("invented-" + i)
              .setErrorDetail(Status.newBuilder().setCode(13).setMessage("no"))
              .build()
              .toByteArray());
    }
    DiscoveryResponse listeners = DiscoveryResponse.parseFrom(stream.next());
    assertThat(listeners.getResourcesCount()).isPositive();
    assertThat(stream.waiting()).isZero();
    stream.drop();
  }

  @ParameterizedTest
  @CsvSource({"true, envoy", "true, gRPC", "false, gRPC"})
  void longListsOfNamesAreAnsweredInMessagesThatFit(boolean delta, String agent) throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < MANY_NAMES; i++) {
      names.add("no-such-resource-" + i);
    }
    RawStream stream = RawStream.open(channel, delta);
    String type = agent.equals("envoy") ? TypeUrls.ROUTE_CONFIGURATION : TypeUrls.LISTENER;
    stream.send(
        delta
            ? delta(agent, type).addAllResourceNamesSubscribe(names).build().toByteArray()
            : sotw(agent, type).addAllResourceNames(names).build().toByteArray());
    goodEdit();
    for (byte[] response = stream.poll(1000); response != null; response = stream.poll(200)) {
      assertThat(response.length).isLessThan(LARGEST_RESPONSE);
      stream.send(ack(delta, agent, response));
    }
    goodEdit();
    stream.drop();
  }

  private static byte[] ack(boolean delta, String agent, byte[] response)
      throws InvalidProtocolBufferException {
    if (delta) {
      DeltaDiscoveryResponse answered = DeltaDiscoveryResponse.parseFrom(response);
      return delta(agent, answered.getTypeUrl())
          .setResponseNonce(answered.getNonce())
          .build()
          .toByteArray();
    }
    DiscoveryResponse answered = DiscoveryResponse.parseFrom(response);
    return sotw(agent, answered.getTypeUrl())
        .setResponseNonce(answered.getNonce())
        .setVersionInfo(answered.getVersionInfo())
        .build()
        .toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"envoy", "gRPC"})
  void longNamesAreNamesLikeAnyOther(String agent) {
    RawStream stream = RawStream.open(channel, true);
    for (String type :
        List.of(
            TypeUrls.ROUTE_CONFIGURATION, TypeUrls.CLUSTER_LOAD_ASSIGNMENT, TypeUrls.LISTENER)) {
      stream.send(
          delta(agent, type)
              .addResourceNamesSubscribe("x".repeat(4096))
              .addResourceNamesSubscribe("\u0000\n../%2F{}" + "ü".repeat(1000))
              .build()
              .toByteArray());
    }
    goodEdit();
    stream.drop();
  }

  @Test
  void whatIsBeyondALimitIsRefusedWithTheNameOfTheLimit() throws Exception {
    RawStream longName = RawStream.open(channel, true);
    longName.send(
        delta("gRPC", TypeUrls.LISTENER)
            .addResourceNamesSubscribe("x".repeat(1 << 20))
            .build()
            .toByteArray());
    assertThat(longName.end().getDescription()).contains("limit nameLength");
    RawStream manyNames = RawStream.open(channel, false);
    DiscoveryRequest.Builder million = sotw("gRPC", TypeUrls.LISTENER);
    for (int i = 0; i < 1_000_000; i++) {
      million.addResourceNames("n" + i);
    }
    manyNames.send(million.build().toByteArray());
    assertThat(manyNames.end().getDescription()).contains("limit names");
    RawStream longId = RawStream.open(channel, true);
    longId.send(
        delta("gRPC", TypeUrls.LISTENER)
            .setNode(Node.newBuilder().setId("x".repeat(8 << 20)))
            .build()
            .toByteArray());
    assertThat(longId.end().getDescription()).contains("limit node)");
    RawStream larger = RawStream.open(channel, true);
    larger.send(
        delta("gRPC", TypeUrls.LISTENER)
            .setNode(Node.newBuilder().setId("x".repeat(17 << 20)))
            .build()
            .toByteArray());
    assertThat(larger.end().isOk()).isFalse();
    Plane.awaitAsserted( // a client can hear of it before it is counted
        () ->
            assertThat(plane.text("/metrics"))
                .contains("holdfast_refused_total{limit=\"requestBytes\"} 1")
                .contains("holdfast_refused_total{limit=\"node\"} 1")
                .contains("holdfast_refused_total{limit=\"names\"} 1"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneThatRejectsEverythingDrawsNoFurtherResponses(boolean delta) throws Exception {
    RawStream stream = RawStream.open(channel, delta);
    stream.send(
        delta
            ? delta("envoy", TypeUrls.CLUSTER).build().toByteArray()
            : sotw("envoy", TypeUrls.CLUSTER).build().toByteArray());
    int responses = 0;
    for (byte[] response = stream.next(); response != null; response = stream.poll(300)) {
      responses++;
      byte[] nack = nack(delta, response);
      for (int i = 0; i < 100; i++) {
        stream.send(nack);
      }
    }
    assertThat(responses).isLessThan(10);
    stream.drop();
  }

  private static byte[] nack(boolean delta, byte[] response) throws InvalidProtocolBufferException {
    Status no = Status.newBuilder().setCode(13).setMessage("no").build();
    return delta
        ? DeltaDiscoveryRequest.parseFrom(ack(true, "envoy", response)).toBuilder()
            .setErrorDetail(no)
            .build()
            .toByteArray()
        : DiscoveryRequest.parseFrom(ack(false, "envoy", response)).toBuilder()
            .setVersionInfo("")
            .setErrorDetail(no)
            .build()
            .toByteArray();
  }

  @Test
  void streamsThatComeAndGoByTheThousandLeaveNothingBehind() throws Exception {
    for (int i = 0; i < MANY_STREAMS; i++) {
      RawStream stream = RawStream.open(channel, i % 2 == 0);
      Node node =
          Node.newBuilder()
              .setId("fleeting-" + i)
              .setUserAgentName("agent-" + i)
              .setUserAgentVersion("v" + i)
              .build();
      stream.send(
          i % 2 == 0
              ? delta("", TypeUrls.CLUSTER).setNode(node).build().toByteArray()
              : sotw("", TypeUrls.CLUSTER).setNode(node).build().toByteArray());
      if (i % 10 == 0) {
        stream.send(ack(/* delta= */ true, "", stream.next()));
      }
      stream.drop();
    }
  }

  @Test
  void oneThatChangesItsNameIsStillTheSame() throws Exception {
    RawStream stream = RawStream.open(channel, false);
    stream.send(sotw("envoy", TypeUrls.CLUSTER).build().toByteArray()).next();
    stream.send(
        sotw("envoy", TypeUrls.LISTENER)
            .setNode(Node.newBuilder().setId("hf-node-1").setUserAgentName("envoy"))
            .build()
            .toByteArray());
    stream.next();
    assertThat(plane.get("/api/v1/proxies").toString()).contains("\"node\":\"hostile\"");
    goodEdit();
    stream.drop();
  }

  @Test
  void thoseWhoNeverReadCostNobodyElseAnything() {
    List<RawStream> deaf = new ArrayList<>();
    for (int i = 0; i < DEAF_STREAMS; i++) {
      Node node = Node.newBuilder().setId("deaf-" + i).setUserAgentName("envoy").build();
      RawStream stream = RawStream.deaf(channel, i % 2 == 0);
      for (String type :
          List.of(TypeUrls.CLUSTER, TypeUrls.LISTENER, TypeUrls.ROUTE_CONFIGURATION)) {
        String name = type.equals(TypeUrls.ROUTE_CONFIGURATION) ? "ingress_http" : "*";
        stream.send(
            i % 2 == 0
                ? delta("", type)
                    .setNode(node)
                    .addResourceNamesSubscribe(name)
                    .build()
                    .toByteArray()
                : sotw("", type).setNode(node).addResourceNames(name).build().toByteArray());
      }
      deaf.add(stream);
    }
    for (int i = 0; i < 20; i++) {
      goodEdit();
    }
    deaf.forEach(RawStream::drop);
  }
}
