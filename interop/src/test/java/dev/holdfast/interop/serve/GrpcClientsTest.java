// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.holdfast.interop.WatchRun;
import dev.holdfast.testkit.TextMarshaller;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.NameResolverRegistry;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.xds.XdsNameResolverProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications that need no proxy: grpc-java's own xDS client, and ours. */
@Execution(ExecutionMode.CONCURRENT)
class GrpcClientsTest {
  private static final String HOST = "shop.example.com";

  /** Nobody edits it: the tests run side by side, and this one's names have to stay. */
  private static final String UNEDITED_HOST = "unedited.example.com";

  private static final int EDITS = Integer.getInteger("holdfast.edits", 10);
  private static final MethodDescriptor<String, String> WHO =
      MethodDescriptor.newBuilder(new TextMarshaller(), new TextMarshaller())
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("test.Shop/Who")
          .build();

  private static final List<Server> SERVERS = new ArrayList<>();
  private static Plane plane;
  private static XdsNameResolverProvider resolver;

  @BeforeAll
  static void start() throws IOException {
    plane =
        Plane.start(
            "services.yaml",
            Yaml.service("one", backend("one"))
                + "---\n"
                + Yaml.service("two", backend("two"))
                + "---\n"
                + Yaml.service("three", backend("three")),
            "shop.yaml",
            host("shop", HOST, "one"),
            "unedited.yaml",
            host("unedited", UNEDITED_HOST, "three"));
    resolver =
        XdsNameResolverProvider.createForTest(
            "xds-peer",
            Map.of(
                "node",
                Map.of("id", "grpc-xds"),
                "xds_servers",
                List.of(
                    Map.of(
                        "server_uri",
                        "127.0.0.1:" + plane.xdsPort(),
                        "channel_creds",
                        List.of(Map.of("type", "insecure")),
                        "server_features",
                        List.of("xds_v3")))));
    NameResolverRegistry.getDefaultRegistry().register(resolver);
  }

  @AfterAll
  static void stop() {
    NameResolverRegistry.getDefaultRegistry().deregister(resolver);
    plane.close();
    SERVERS.forEach(Server::shutdownNow);
  }

  private static String host(String name, String fqdn, String service) {
    return Yaml.root(
        name, fqdn, "routes: [{services: [{name: " + service + ", port: 80, protocol: h2c}]}]");
  }

  private static int backend(String name) throws IOException {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(
                ServerServiceDefinition.builder("test.Shop")
                    .addMethod(
                        WHO,
                        ServerCalls.asyncUnaryCall(
                            (request, answer) -> {
                              answer.onNext(name);
                              answer.onCompleted();
                            }))
                    .build())
            .build()
            .start();
    SERVERS.add(server);
    return server.getPort();
  }

  private static ManagedChannel channel(String host) {
    return Grpc.newChannelBuilder("xds-peer:///" + host, InsecureChannelCredentials.create())
        .build();
  }

  private static String ask(ManagedChannel channel) {
    return ClientCalls.blockingUnaryCall(
        channel, WHO, CallOptions.DEFAULT.withDeadlineAfter(40, TimeUnit.SECONDS), "");
  }

  @Test
  void grpcXdsReachesTheServicesOfAHostAndNoCallFailsWhileItIsEdited() throws Exception {
    ManagedChannel channel = channel(HOST);
    AtomicReference<String> last = new AtomicReference<>("");
    ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    AtomicBoolean stopped = new AtomicBoolean();
    Thread caller =
        new Thread(
            () -> {
              while (!stopped.get()) {
                try {
                  last.set(ask(channel));
                } catch (StatusRuntimeException e) {
                  failures.add(e.toString());
                }
              }
            });
    try {
      assertThat(ask(channel)).isEqualTo("one");
      caller.start();
      for (int edit = 1; edit <= EDITS; edit++) {
        String service = edit % 2 == 0 ? "one" : "two";
        plane.write("shop.yaml", host("shop", HOST, service));
        Plane.await("calls reach " + service, () -> service.equals(last.get()));
      }
      plane.awaitProgrammed("HTTPProxy/default/shop", 1 + EDITS);
      assertThat(failures).isEmpty();
    } finally {
      stopped.set(true);
      caller.join();
      channel.shutdownNow();
    }
  }

  @Test
  void grpcXdsIsToldThatAHostIsMissing() {
    ManagedChannel channel = channel("missing.example.com");
    try {
      assertThatThrownBy(() -> ask(channel))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> {
                assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(e.getStatus().getDescription()).contains("missing.example.com");
              });
    } finally {
      channel.shutdownNow();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oursGetsTheWholeConfigurationOfAHost(boolean delta) throws IOException {
    try (WatchRun watch = watch(delta, "listener/" + UNEDITED_HOST)) {
      JsonObject listener = watch.expect("listener/" + UNEDITED_HOST, "resource_changed", "OK");
      JsonObject route = follow(watch, "route", listener, "routeConfigName");
      JsonObject cluster = follow(watch, "cluster", route, "cluster");
      JsonObject endpoints = follow(watch, "endpoint", cluster, "serviceName");
      assertThat(endpoints.toString()).contains("127.0.0.1");
    }
  }

  /** Watches what a resource refers to in the first field of a name. */
  private static JsonObject follow(WatchRun watch, String type, JsonObject from, String field)
      throws IOException {
    Matcher name = Pattern.compile("\"" + field + "\":\"([^\"]+)\"").matcher(from.toString());
    assertThat(name.find()).as("%s in %s", field, from).isTrue();
    watch.type("watch " + type + " " + name.group(1));
    return watch.expect(type + "/" + name.group(1), "resource_changed", "OK");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oursIsToldAtOnceWhyAHostIsMissing(boolean delta) throws IOException {
    try (WatchRun watch = watch(delta, "listener/missing.example.com")) {
      JsonObject missing =
          watch.expect("listener/missing.example.com", "resource_changed", "NOT_FOUND");
      // Whoever waits for the timer of 15 s is told in the client's own words.
      assertThat(WatchRun.message(missing))
          .contains("no object has the host missing.example.com")
          .doesNotContain("did not send it");
    }
  }

  private static WatchRun watch(boolean delta, String resource) throws IOException {
    String server = "127.0.0.1:" + plane.xdsPort();
    return delta
        ? WatchRun.start("--server", server, "--delta", resource)
        : WatchRun.start("--server", server, resource);
  }
}
