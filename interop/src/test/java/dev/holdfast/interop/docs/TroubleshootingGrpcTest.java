// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static dev.holdfast.interop.docs.TroubledShop.HOST;
import static dev.holdfast.interop.docs.TroubleshootingTest.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Docs;
import dev.holdfast.testkit.TextMarshaller;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The symptoms of docs/troubleshooting.md that callers without a proxy have. */
class TroubleshootingGrpcTest {
  private static final String UNAVAILABLE = "A gRPC call fails with `UNAVAILABLE`";

  @TempDir Path place;

  private static Server backend() throws IOException {
    return Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
        .addService(
            ServerServiceDefinition.builder("test.Shop")
                .addMethod(
                    MethodDescriptor.newBuilder(new TextMarshaller(), new TextMarshaller())
                        .setType(MethodDescriptor.MethodType.UNARY)
                        .setFullMethodName("test.Shop/Who")
                        .build(),
                    ServerCalls.asyncUnaryCall(
                        (request, answer) -> {
                          answer.onNext("shop");
                          answer.onCompleted();
                        }))
                .build())
        .build()
        .start();
  }

  /** An application makes one call, and says how it ended. */
  private static String call(TroubledShop shop, String host) throws Exception {
    ProcessBuilder application =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.holdfast.interop.dataplane.CallMain",
            "xds:///" + host);
    application
        .environment()
        .put("GRPC_XDS_BOOTSTRAP", shop.directory().resolve("xds.json").toString());
    Process process = application.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return out;
  }

  private static String service(int port) {
    return Docs.of(
        Docs.bareService("shop/calls", "", "{name: grpc, port: 80}"),
        Docs.slice(
            "shop/calls-1",
            "calls",
            "{name: grpc, port: %d}".formatted(port),
            "{addresses: [127.0.0.1]}"));
  }

  @Test
  @Symptom(UNAVAILABLE)
  @Symptom(value = UNAVAILABLE, row = "`does not exist: no object has the host`")
  @Symptom(value = UNAVAILABLE, row = "`ADS stream failed`")
  @Symptom(value = UNAVAILABLE, row = "`unavailable/NAMESPACE/NAME/...`")
  @Symptom(value = UNAVAILABLE, row = "`Connection refused`, then a note")
  void callsFailAndSayWhy() throws Exception {
    Server backend = backend();
    try (TroubledShop shop = TroubledShop.open(place)) {
      shop.join("edge-1"); // applications that end after each call do not decide
      shop.answers(HOST, "/", 200);
      shop.output("./holdfast bootstrap grpc --node caller-1 > xds.json");
      TroubledShop.Reader reader = shop.reads(UNAVAILABLE).reads("and the node id");
      String route = "routes: [{services: [{name: calls, port: 80, protocol: h2c}]}]";

      assertThat(call(shop, "new.example.com"))
          .contains("UNAVAILABLE", "does not exist: no object has the host", "caller-1");
      reader.watches(
          "./holdfast xds watch --server localhost:18000 listener/shop.example.com", "changed");
      reader.isDone();

      shop.write("new.yaml", Docs.of(host("new", route), service(1)));
      ends(shop, "UNAVAILABLE", "Connection refused", "caller-1");

      shop.write("new.yaml", Docs.of(host("new", route), service(backend.getPort())));
      ends(shop, "outcome OK shop");

      shop.write(
          "new.yaml",
          Docs.of(
              host("new", "routes: [{directResponsePolicy: {statusCode: 200, body: hi}}]"),
              service(1)));
      ends(shop, "UNAVAILABLE", "unavailable/shop/new/");
      reader.reads("the condition `GrpcRoutes`");
      TroubledShop.eventually( // calls can show a change before the status does
          "a condition",
          () -> {
            String said =
                TroubleshootingTest.text(
                    () -> shop.output("./holdfast describe HTTPProxy/shop/new"));
            assertThat(said).contains("GrpcRoutes False");
            return said;
          });

      shop.stop();
      assertThat(call(shop, HOST)).contains("UNAVAILABLE", "ADS stream failed", "caller-1");
      shop.write("new.yaml", Docs.of(host("new", route), service(backend.getPort())));
      shop.serve();
      assertThat(call(shop, "new.example.com")).startsWith("outcome OK shop");
    } finally {
      backend.shutdownNow();
    }
  }

  /** Sooner or later a call ends like this. */
  private static void ends(TroubledShop shop, String... texts) {
    TroubledShop.eventually(
        "a call",
        () -> {
          String outcome = TroubleshootingTest.text(() -> call(shop, "new.example.com"));
          assertThat(outcome).contains(texts);
          return outcome;
        });
  }
}
