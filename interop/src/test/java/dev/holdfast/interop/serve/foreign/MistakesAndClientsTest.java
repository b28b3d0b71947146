// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.PlaneProcess;
import dev.holdfast.interop.serve.Yaml;
import io.grpc.Server;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mistakes that Holdfast finds itself cost no call of a gRPC client that somebody else wrote:
 * before, while and after they are there, and over a control plane that is killed meanwhile.
 */
class MistakesAndClientsTest {
  private static final String HOST = "shop.example.com";
  private static final String SHOP = "HTTPProxy/shop";
  private static final int ENOUGH_CALLS = 20;

  private static final String GOOD_ROUTE = "{services: [{name: good, port: 80, protocol: h2c}]}";

  /** A file with a mistake in it, and the object whose author is told. */
  private record Mistake(String file, String text, String object, String reason) {}

  private static String shop(String routes) {
    return Yaml.root("shop", HOST, "routes: [" + routes + "]");
  }

  private static List<Mistake> mistakes(int port) {
    String service = Yaml.service("good", port);
    return List.of(
        new Mistake(
            "shop.yaml", shop("{servces: [{name: good, port: 80}]}"), SHOP, "False/Invalid"),
        new Mistake(
            "shop.yaml",
            shop("{timeoutPolicy: {response: 5 sec}, services: [{name: good, port: 80}]}"),
            SHOP,
            "False/Invalid"),
        new Mistake(
            "shop.yaml",
            shop(GOOD_ROUTE + ", {conditions: [{prefix: /x}], services: [{name: none, port: 80}]}"),
            SHOP,
            "False/Invalid"),
        new Mistake(
            "shop.yaml",
            shop("{services: [{name: good, port: 80, weight: -1}]}"),
            SHOP,
            "False/Invalid"),
        new Mistake(
            "services.yaml",
            service.replace("port: 80", "prot: 80"),
            "Service/good",
            "False/Invalid"),
        new Mistake(
            "rival.yaml",
            Yaml.root("rival", HOST, "routes: [{directResponsePolicy: {statusCode: 404}}]"),
            "HTTPProxy/rival",
            "False/Conflict"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"python", "node", "go", "java"})
  void noMistakeCostsACall(String language, @TempDir Path root) throws Exception {
    Server backend = AnyMethod.start();
    try (PlaneProcess plane = new PlaneProcess(root)) {
      Map<String, String> good = new LinkedHashMap<>();
      good.put("services.yaml", Yaml.service("good", backend.getPort()));
      good.put("shop.yaml", shop(GOOD_ROUTE));
      good.forEach(plane::write);
      plane.up();
      try (Caller client =
              language.equals("java")
                  ? new JavaClient(HOST, plane.xdsPort())
                  : ForeignClient.start(
                      language, HOST, ForeignClient.bootstrap(plane.xdsPort()), root);
          Calls calls = new Calls(client)) {
        calls.someMore();
        int killed = 0;
        for (Mistake mistake : mistakes(backend.getPort())) {
          plane.write(mistake.file(), mistake.text());
          awaitSaid(plane, mistake.object(), mistake.reason());
          calls.someMore();
          if (killed++ % 2 == 0) {
            plane.end("KILL");
            calls.someMore();
            plane.up();
            awaitSaid(plane, mistake.object(), mistake.reason());
            calls.someMore();
          }
          plane.write(mistake.file(), good.get(mistake.file()));
          awaitSaid(plane, SHOP, "True/Programmed");
          calls.someMore();
          assertThat(calls.failed).as(mistake.text()).isEmpty();
        }
      }
    } finally {
      backend.shutdownNow();
    }
  }

  private static void awaitSaid(PlaneProcess plane, String object, String said) {
    Plane.await(
        object + " says " + said,
        () -> PlaneProcess.programmed(plane.objects().get(object)).equals(said));
  }

  /** Calls without a pause. */
  private static final class Calls implements AutoCloseable {
    final ConcurrentLinkedQueue<String> failed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Thread thread;
    private volatile boolean done;

    Calls(Caller client) {
      thread = new Thread(() -> run(client), "calls");
      thread.start();
    }

    private void run(Caller client) {
      while (!done) {
        String answer = client.call("/shop.Cart/Get");
        if (!answer.equals("OK served")) {
          failed.add(answer);
        }
        count.incrementAndGet();
      }
    }

    void someMore() {
      int enough = count.get() + ENOUGH_CALLS;
      Plane.await("more calls", () -> count.get() >= enough || !failed.isEmpty());
      assertThat(failed).isEmpty();
    }

    @Override
    public void close() {
      done = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
