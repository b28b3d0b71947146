// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.SystemTime;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import io.grpc.Grpc;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A host with routes that gRPC clients cannot follow: calls to these routes fail with a reason, no
 * client crashes, and the other routes of the host work before and after.
 */
class ForeignClientsTest {
  private static final String HOST = "shop.example.com";

  /** The routes that gRPC clients cannot use, by the service that calls name. */
  private static final Map<String, String> UNUSABLE =
      Map.of(
          "Redirect", "routes[1]/redirect",
          "Direct", "routes[2]/direct-response",
          "Tls", "routes[3]/tls-upstream",
          "Random", "routes[4]/random",
          "Guarded", "routes[5]/ip-policy");

  private static @TempDir Path directory;
  private static Server backend;
  private static Plane plane;
  private static String bootstrap;

  @BeforeAll
  static void start() throws IOException {
    backend =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .fallbackHandlerRegistry(new AnyMethod())
            .build()
            .start();
    plane =
        Plane.start(
            "services.yaml",
            Yaml.service("good", backend.getPort()),
            "second.yaml",
            Yaml.service("second", backend.getPort()),
            "shop.yaml",
            shop());
    bootstrap = bootstrap();
  }

  @AfterAll
  static void stop() {
    plane.close();
    backend.shutdownNow();
  }

  private static String shop() {
    return Yaml.root(
        "shop",
        HOST,
        """
        routes:
        - services: [{name: good, port: 80, protocol: h2c}]
        - conditions: [{prefix: /shop.Redirect/}]
          requestRedirectPolicy: {path: /x}
        - conditions: [{prefix: /shop.Direct/}]
          directResponsePolicy: {statusCode: 418}
        - conditions: [{prefix: /shop.Tls/}]
          services: [{name: good, port: 80, protocol: tls}]
        - conditions: [{prefix: /shop.Random/}]
          loadBalancerPolicy: {strategy: Random}
          services: [{name: good, port: 80, protocol: h2c}]
        - conditions: [{prefix: /shop.Guarded/}]
          ipAllowPolicy: [{source: Peer, cidr: 10.0.0.0/8}]
          services: [{name: good, port: 80, protocol: h2c}]
        - conditions: [{prefix: /shop.Second/}]
          services: [{name: second, port: 80, protocol: h2c}]
        """);
  }

  /** What {@code holdfast bootstrap grpc} prints. */
  private static String bootstrap() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printer = new PrintStream(out, true, StandardCharsets.UTF_8);
    Shell shell =
        new Shell(
            InputStream.nullInputStream(),
            printer,
            printer,
            Map.of(),
            SystemTime.instance(),
            Shell.Terminal.none());
    int code =
        Main.run(shell, "bootstrap", "grpc", "--xds-address", "127.0.0.1:" + plane.xdsPort());
    assertThat(code).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"python", "node", "go"})
  void unusableRoutesFailAloneAndWithAReason(String language) {
    plane.write("second.yaml", Yaml.service("second", backend.getPort()));
    try (ForeignClient client = ForeignClient.start(language, HOST, bootstrap, directory)) {
      assertThat(client.call("/shop.Cart/Get")).isEqualTo("OK served");
      UNUSABLE.forEach(
          (service, place) -> {
            assertThat(client.call("/shop." + service + "/Get"))
                .startsWith("UNAVAILABLE ")
                .satisfiesAnyOf(
                    // Clients that read resource errors tell the reason; the others the name.
                    said -> assertThat(said).contains("unavailable/default/shop/" + place),
                    said -> assertThat(said).contains("of HTTPProxy/default/shop fail: "));
            assertThat(client.call("/shop.Cart/Get")).isEqualTo("OK served");
          });

      assertThat(client.call("/shop.Second/Get")).isEqualTo("OK served");
      plane.delete("second.yaml");
      Plane.await(
          "calls to a deleted service fail",
          () -> client.call("/shop.Second/Get").startsWith("UNAVAILABLE "));
      assertThat(client.call("/shop.Cart/Get")).isEqualTo("OK served");

      plane.write("second.yaml", Yaml.service("second", backend.getPort()));
      Plane.await("the service is back", () -> client.call("/shop.Second/Get").equals("OK served"));
      assertThat(client.call("/shop.Cart/Get")).isEqualTo("OK served");
    }
    Plane.Said said = plane.said("HTTPProxy/default/shop", "GrpcRoutes");
    assertThat(said.status()).isEqualTo("False");
    assertThat(said.reason()).isEqualTo("RoutesUnavailable");
    assertThat(said.message()).contains("spec.routes[1]: requestRedirectPolicy", "spec.routes[5]");
  }

  /** Answers every method. */
  private static final class AnyMethod extends HandlerRegistry {
    @Override
    public @Nullable ServerMethodDefinition<?, ?> lookupMethod(
        String method, @Nullable String authority) {
      MethodDescriptor<String, String> descriptor =
          MethodDescriptor.newBuilder(new Text(), new Text())
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(method)
              .build();
      ServerCallHandler<String, String> handler =
          ServerCalls.asyncUnaryCall(
              (request, answer) -> {
                answer.onNext("served");
                answer.onCompleted();
              });
      return ServerMethodDefinition.create(descriptor, handler);
    }
  }

  private static final class Text implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
